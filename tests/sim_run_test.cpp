// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs on the sim: the engine, the session, the bundle and the analysis together, in virtual time.
#include "tests/sim_run.hpp"

#include "rig/analysis/result_json.hpp"
#include "rig/evidence/append_file.hpp"
#include "rig/evidence/manifest.hpp"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

namespace rig::tests {
namespace {

using analysis::Verdict;
using plan::Account;

const std::string sync_plan =
    "plan: sync\n"
    "needs: { analyzer: [tx] }\n"
    "wants: { target: [printk_test, irq_latency, marker] }\n"
    "cases:\n  - { case: sync, stimulus: { shell: sync }, trials: 3 }\n"
    "checks:\n"
    "  - { agree: [irq_off, wire], within: 3 % + 500 us }\n"
    "  - { agree: [marker, irq_off], within: 300 us }\n"
    "  - { model: lost_ticks, within: 1 tick }\n";

std::string printk_plan() {
    return evidence::read_file(RIG_SOURCE_DIR "/testplans/printk.yaml");
}

const sim::RecordTruth& truth_of(const SimRun& run, const std::string& start) {
    const auto found = std::find_if(run.truth.begin(), run.truth.end(), [&](const auto& t) {
        return t.record.bytes.find(start) != std::string::npos && t.on_capture;
    });
    if (found == run.truth.end()) throw std::runtime_error("the sim printed no " + start);
    return *found;
}

TEST(SimRun, ThePrintkPlanPassesOnAPeriodicTick) {
    const auto run = run_on_sim(printk_plan());
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_EQ(run->result.certified, 50U);
    EXPECT_EQ(run->result.attempted, 50U);
    EXPECT_EQ(run->result.accounts.size(), 5U);
    EXPECT_EQ(run->result.exit_code(), 0);
    EXPECT_TRUE(evidence::find_damage(run->bundle).empty());
}

TEST(SimRun, ThePrintkPlanPassesWhereTicksAreCaughtUpAndNoneIsLost) {
    sim::SimParameters parameters;
    parameters.tick_model = target::TickModel::catch_up;
    const auto run = run_on_sim(printk_plan(), parameters);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    for (const auto& trial : run->result.trials) EXPECT_LT(std::abs(trial.lost_ticks.value().value), 1.0);
}

TEST(SimRun, EveryFigureIsTheTruthWithinItsUncertainty) {
    sim::SimParameters parameters;
    parameters.baud_error_ppm = 4000;
    parameters.analyzer_ppm = 40;
    const auto run = run_on_sim(sync_plan, parameters);
    const auto& trial = run->result.trials.at(0);
    const auto& truth = truth_of(*run, "test ");
    ASSERT_TRUE(trial.certified) << trial.why;
    EXPECT_EQ(trial.frames.value(), 274U);
    const double wire = to_seconds(truth.on_capture->wire);
    EXPECT_NEAR(trial.wire_s->value, wire, 4 * trial.wire_s->u);
    EXPECT_LT(trial.wire_s->u, 3e-6);
    EXPECT_NEAR(trial.baud_hz->value, 115200 * 1.004, 115200 * 60e-6);
    EXPECT_GT(trial.lost_ticks->value, 21.0);
    EXPECT_LT(trial.lost_ticks->value, 24.0);
    EXPECT_EQ(trial.jiffies->count, 1);
}

TEST(SimRun, EqualRunsGiveEqualBytesAndSoDoesAReplay) {
    const auto first = run_on_sim(sync_plan);
    const auto second = run_on_sim(sync_plan);
    const auto text = analysis::to_text(analysis::to_json(first->result));
    EXPECT_EQ(text, analysis::to_text(analysis::to_json(second->result)));
    const auto again = analysis::analyse(evidence::Bundle::open(first->bundle));
    EXPECT_EQ(text, analysis::to_text(analysis::to_json(again)));
}

// The accounts are independent: with one gone, the others' figures stay what they were.

TEST(SimRun, WithoutIrqLatencyTheWireAndTheMarkerStand) {
    sim::SimParameters parameters;
    parameters.irq_latency = sim::Presence::absent;
    const auto run = run_on_sim(sync_plan, parameters);
    const auto whole = run_on_sim(sync_plan);
    EXPECT_EQ(run->result.verdict, Verdict::inconclusive);
    EXPECT_EQ(run->result.missing.at(Account::irq_off),
              "neither /proc/irq_latency nor the preemptirq trace events can be read on this target");
    EXPECT_EQ(run->result.certified, 3U);
    EXPECT_NEAR(run->result.trials[0].wire_s->value, whole->result.trials[0].wire_s->value, 2e-6);
    EXPECT_NEAR(run->result.trials[0].marker_s->value, whole->result.trials[0].marker_s->value, 20e-6);
    EXPECT_FALSE(run->result.trials[0].irq_off_s);
}

TEST(SimRun, WithoutTheMarkerIrqOffStands) {
    sim::SimParameters parameters;
    parameters.marker = sim::Presence::absent;
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_TRUE(run->result.missing.contains(Account::marker));
    EXPECT_EQ(run->result.certified, 3U);
    EXPECT_TRUE(run->result.trials[0].irq_off_s);
    EXPECT_FALSE(run->result.trials[0].marker_s);
}

TEST(SimRun, WithTheTxProbeInTheAirThereIsNoWireFigureAtAll) {
    sim::SimParameters parameters;
    parameters.faults.push_back(sim::parse_fault("channel-unplug:channel=tx"));
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.verdict, Verdict::inconclusive);
    for (const auto& trial : run->result.trials) {
        EXPECT_FALSE(trial.wire_s);
        EXPECT_FALSE(trial.frames);
        EXPECT_FALSE(trial.certified);
        EXPECT_TRUE(trial.irq_off_s);
        EXPECT_EQ(red_lines(trial), std::vector<std::string>{"record"});
    }
    EXPECT_NE(run->result.cause.find("is its probe connected"), std::string::npos) << run->result.cause;
}

// Each line of the certificate has a fault that turns it red, once; the trial is then repeated and the run passes.

struct LineFault {
    const char* name;
    const char* fault;
    std::vector<std::string> red;
};

class CertificateLines : public testing::TestWithParam<LineFault> {};

TEST_P(CertificateLines, AFaultTurnsItsLineRedAndTheTrialIsRepeated) {
    sim::SimParameters parameters;
    parameters.faults.push_back(sim::parse_fault(GetParam().fault));
    const auto run = run_on_sim(sync_plan, parameters);
    ASSERT_EQ(run->result.attempted, 4U) << run->result.cause;
    EXPECT_FALSE(run->result.trials[1].certified);
    EXPECT_EQ(red_lines(run->result.trials[1]), GetParam().red) << run->result.trials[1].why;
    EXPECT_EQ(run->result.certified, 3U);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
}

INSTANTIATE_TEST_SUITE_P(
    All, CertificateLines,
    testing::Values(LineFault{"Samples", "analyzer-close:capture=2,at=100000", {"samples"}},
                    LineFault{"EndPacket", "analyzer-no-end:capture=2", {"end_packet"}},
                    LineFault{"Heartbeat", "analyzer-lose-block:capture=2,at=300000,samples=1500", {"heartbeat"}},
                    LineFault{"ConsoleBytes", "console-lose-byte:capture=2,byte=200", {"console_bytes"}},
                    LineFault{"PacerSlip", "pacer-stall:capture=2,byte=200,ms=3", {"pacer_slip"}},
                    LineFault{"RunDelay", "guest-held:capture=2,byte=200,ms=5", {"run_delay"}},
                    LineFault{"PageFaults", "guest-paged:capture=2", {"page_faults"}},
                    LineFault{"LateEvents", "pin-late:capture=2", {"late_events"}},
                    LineFault{"IdleBefore", "probe-glitch:capture=2,at=100,samples=2", {"idle_before"}},
                    LineFault{"Framing", "wire-garbage:capture=2,byte=450", {"framing"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(SimRun, AHoldOutsideTheRecordTouchesNoFigure) {
    sim::SimParameters parameters;
    parameters.faults.push_back(sim::parse_fault("guest-held:capture=2,byte=5,ms=3"));
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.attempted, 3U);
    EXPECT_TRUE(run->result.trials.at(1).certified) << run->result.trials[1].why;
}

TEST(SimRun, ABlockLostInsideTheRecordBreaksItsBitPhaseWhereNoHeartbeatIsWired) {
    sim::SimParameters parameters;
    parameters.heartbeat = sim::Presence::absent;
    parameters.faults.push_back(sim::parse_fault("analyzer-lose-block:capture=2,at=70000,samples=4"));
    const auto run = run_on_sim(sync_plan, parameters);
    const auto red = red_lines(run->result.trials.at(1));
    EXPECT_EQ(red, std::vector<std::string>{"bit_phase"}) << run->result.trials[1].why;
    EXPECT_FALSE(run->result.trials[1].certified);
}

TEST(SimRun, AnAnalyzerWhoseClockRunsFarTooFastIsFoundByTheTimeItTakes) {
    sim::SimParameters parameters;
    parameters.analyzer_ppm = 40'000;
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(red_lines(run->result.trials.at(0)), std::vector<std::string>{"elapsed"});
}

TEST(SimRun, APlanWithoutChecksDecidesNothing) {
    const auto run = run_on_sim(sync_plan.substr(0, sync_plan.find("checks:")));
    EXPECT_EQ(run->result.certified, 3U);
    EXPECT_EQ(run->result.verdict, Verdict::inconclusive);
    EXPECT_EQ(run->result.exit_code(), 2);
}

// Faults that end the run name whose they are.

struct EndingFault {
    const char* name;
    const char* fault;
    Verdict verdict;
    Culprit culprit;
    const char* cause;
    int exit_code;
};

class Endings : public testing::TestWithParam<EndingFault> {};

TEST_P(Endings, AFaultHasItsVerdictItsCulpritAndItsCause) {
    sim::SimParameters parameters;
    parameters.faults.push_back(sim::parse_fault(GetParam().fault));
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.verdict, GetParam().verdict) << run->result.cause;
    EXPECT_EQ(run->result.culprit, GetParam().culprit);
    EXPECT_NE(run->result.cause.find(GetParam().cause), std::string::npos) << run->result.cause;
    EXPECT_EQ(run->result.exit_code(), GetParam().exit_code);
    EXPECT_TRUE(evidence::find_damage(run->bundle).empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Endings,
    testing::Values(EndingFault{"Hang", "board-hang:capture=2,byte=200", Verdict::fail, Culprit::dut,
                                "the board hung in trial 2", 1},
                    EndingFault{"Panic", "board-panic:capture=2", Verdict::fail, Culprit::dut, "Kernel panic", 1},
                    EndingFault{"Reboot", "board-reboot:capture=2", Verdict::fail, Culprit::dut, "the board rebooted",
                                1},
                    EndingFault{"NoAnalyzer", "analyzer-absent", Verdict::error, Culprit::bench, "analyzer", 3},
                    EndingFault{"NoConsole", "console-missing", Verdict::error, Culprit::bench, "console", 3},
                    EndingFault{"NoPrompt", "board-never-prompts", Verdict::error, Culprit::bench, "no prompt", 3},
                    EndingFault{"ConsoleUnplugged", "console-unplug:capture=2,byte=200", Verdict::error, Culprit::bench,
                                "console", 3},
                    EndingFault{"AnalyzerAlwaysShort", "analyzer-close:at=1000", Verdict::error, Culprit::bench,
                                "ended 4 captures in a row before their limit", 3}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(SimRun, AKernelThatLiesAboutIrqOffFailsTheAgreementAndNotTheCertificate) {
    sim::SimParameters parameters;
    parameters.irq_off_bias = 0.9;
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.verdict, Verdict::fail);
    EXPECT_EQ(run->result.culprit, Culprit::dut);
    EXPECT_EQ(run->result.certified, 3U);
}

TEST(SimRun, TooManyRejectedTrialsMakeTheRunInconclusive) {
    sim::SimParameters parameters;
    parameters.faults.push_back(sim::parse_fault("pacer-stall:byte=200,ms=3"));
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.verdict, Verdict::inconclusive);
    EXPECT_EQ(run->result.certified, 0U);
    EXPECT_EQ(run->result.attempted, 12U);
    EXPECT_EQ(run->result.exit_code(), 2);
}

TEST(SimRun, ACaseThatNeedsPrintkTestIsRefusedWhereTheTargetHasNone) {
    sim::SimParameters parameters;
    parameters.printk_test = sim::Presence::absent;
    const auto run = run_on_sim(sync_plan, parameters);
    EXPECT_EQ(run->result.verdict, Verdict::error);
    EXPECT_EQ(run->result.culprit, Culprit::plan);
    EXPECT_EQ(run->result.exit_code(), 4);
}

}  // namespace
}  // namespace rig::tests
