// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_station.hpp"

#include "drivers/sim/test_bench.hpp"
#include "rig/console/kernel_log.hpp"
#include "rig/error.hpp"
#include "rig/target/irq_latency.hpp"
#include "rig/target/printk_test.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

TEST(SimStation, ABoardWithPowerBootsToItsPrompt) {
    TestBench bench;
    bench.boot();
    EXPECT_NE(bench.log.bytes().find("Booting Linux"), std::string_view::npos);
    EXPECT_TRUE(bench.log.bytes().ends_with("~ # "));
    EXPECT_GE(bench.clock.now(), host_time{800ms});
    EXPECT_LT(bench.clock.now(), host_time{850ms});
}

TEST(SimStation, TheReplyToAFramedCommandIsItsOutput) {
    TestBench bench;
    bench.boot();
    const auto reply = bench.command("uname -a");
    EXPECT_EQ(reply.output, "Linux (none) 6.1.140 #1 armv5tejl GNU/Linux\n");
    EXPECT_EQ(reply.exit_code, 0);
    EXPECT_EQ(bench.command("no_such_program").exit_code, 127);
}

TEST(SimStation, FilesAreReadBackIntact) {
    TestBench bench;
    bench.boot();
    const auto facts = bench.file("/proc/printk_test");
    EXPECT_EQ(facts.intact(), true);
    EXPECT_FALSE(facts.digest.empty());
    const auto parsed = target::parse_printk_test(facts.output);
    EXPECT_EQ(parsed.clocks.tick_rate.value().hz, 1000U);
    EXPECT_EQ(parsed.clocks.clock_step.value(), 41ns);
    const auto missing = bench.file("/proc/nothing");
    EXPECT_EQ(missing.exit_code, 1);
}

TEST(SimStation, SyncPrintsTheTwoRecordsOfTheReportWithTheirIntervals) {
    TestBench bench;
    bench.boot();
    bench.command("echo nonce=c0ffee01 >/proc/printk_test");
    const auto from = bench.log.size();
    bench.command("sync");
    const auto bytes = bench.log.bytes();
    const auto record = console::find_record(bytes, "test c0ffee01 ", from).value();
    EXPECT_EQ(record.end - record.begin, 274U);
    const auto truth = bench.station.truth_of("c0ffee01");
    ASSERT_EQ(truth.size(), 2U);
    const auto interval = console::find_interval(bytes, record.end).value();
    EXPECT_EQ(interval.interval, truth[0].record.measured.value().interval);
    EXPECT_EQ(interval.jiffies, truth[0].record.measured.value().jiffies);
    EXPECT_EQ(truth[0].record.bytes.size(), 274U);
    EXPECT_EQ(truth[0].record.wire, 274 * 10 * bench.station.bit_time());
}

TEST(SimStation, ALineEditorMayAskTheTerminalSomethingBehindItsPrompt) {
    TestBench bench({.after_prompt = "\033[6n"});
    bench.boot();
    EXPECT_EQ(bench.command("uname").output, "Linux\n");
    bench.pass(1ms);
    EXPECT_TRUE(bench.log.bytes().ends_with("~ # \033[6n"));
}

TEST(SimStation, WhatTheTargetLacksIsNotThere) {
    TestBench bench({.irq_latency = Presence::absent, .printk_test = Presence::absent, .marker = Presence::absent});
    bench.boot();
    for (const char* path :
         {"/proc/irq_latency", "/proc/irq_latency_events", "/proc/irq_marker", "/proc/printk_test"}) {
        EXPECT_EQ(bench.file(path).exit_code, 1) << path;
        EXPECT_EQ(bench.command(std::string("echo 1 >") + path).exit_code, 1) << path;
    }
    EXPECT_EQ(bench.command("sync").output, "");
}

TEST(SimStation, AWriteThatThePatchRefusesPrintsNothing) {
    TestBench bench;
    bench.boot();
    const auto before = bench.station.truth().size();
    EXPECT_EQ(bench.command("echo length=5 >/proc/printk_test").exit_code, 1);
    EXPECT_EQ(bench.command("echo 2 >/proc/irq_marker").exit_code, 1);
    EXPECT_EQ(bench.command("echo x >/proc/version").exit_code, 1);
    EXPECT_EQ(bench.station.truth().size(), before);
}

TEST(SimStation, CtrlCGivesANewPromptAndCtrlUANewLine) {
    TestBench bench;
    bench.boot();
    auto from = bench.log.size();
    bench.type("rubbish\x03");
    bench.expect("^C\r\n~ # ", from);
    from = bench.log.size();
    bench.type(
        "rubbish\x15"
        "echo fine\r");
    bench.expect("\r\nfine\r\n~ # ", from);
}

TEST(SimStation, WithoutPowerNothingAnswersAndAConsoleThatIsClosedHearsNothing) {
    TestBench bench;
    bench.open_console();
    bench.type("true\r");
    bench.pass(5s);
    EXPECT_EQ(bench.log.size(), 0U);
    bench.station.console().close();
    bench.power_on();
    bench.pass(5s);
    bench.open_console();
    bench.pass(5s);
    EXPECT_EQ(bench.log.size(), 0U);
}

TEST(SimStation, APowerCutInMidRecordEndsTheWireThere) {
    TestBench bench;
    bench.boot();
    bench.command("echo nonce=ab >/proc/printk_test");
    const auto from = bench.log.size();
    bench.type("sync\r");
    bench.pass(12ms);
    bench.power_off();
    bench.pass(1s);
    EXPECT_LT(bench.log.size() - from, 200U);
    EXPECT_TRUE(bench.station.truth_of("ab").empty());
    bench.power_on();
    bench.expect("~ # ", bench.log.size());
    EXPECT_EQ(bench.command("true").exit_code, 0);
}

TEST(SimStation, HostLatencyDelaysTheConsoleNotTheWire) {
    TestBench prompt;
    prompt.boot();
    TestBench late({.host_latency = 16ms});
    late.boot();
    EXPECT_EQ(late.clock.now() - prompt.clock.now(), 16ms);
    EXPECT_EQ(late.station.truth().back().record.wire_start, prompt.station.truth().back().record.wire_start);
}

TEST(SimStation, JitterMakesGapsThatTheWitnessCounts) {
    TestBench bench({.frame_jitter = 2us});
    bench.clock.run_until_done(bench.io, bench.station.witness().begin({"begin", bench.in(1s)}));
    bench.boot();
    bench.command("echo nonce=ab >/proc/printk_test; sync");
    const auto witness =
        nlohmann::json::parse(bench.clock.run_until_done(bench.io, bench.station.witness().end({"end", bench.in(1s)})));
    EXPECT_GT(witness["pacer"]["slips"].get<int>(), 500);
    EXPECT_LT(witness["pacer"]["slip_max_ns"].get<int>(), 12'000);
    // The mean of a half-normal is σ·√(2/π).
    const auto late = bench.station.truth_of("ab").at(0).record.wire - 2740 * bench.station.bit_time();
    EXPECT_NEAR(to_seconds(late), 273 * 2e-6 * 0.798, 60e-6);
}

TEST(SimStation, TheWitnessSpeaksTheBenchsWords) {
    TestBench bench;
    bench.boot();
    bench.command("echo 1 >/proc/irq_marker");
    auto& witness = bench.station.witness();
    bench.clock.run_until_done(bench.io, witness.begin({"begin", bench.in(1s)}));
    KeptSamples samples;
    const auto capture = bench.start_capture(samples, 20'000);
    bench.finish(*capture);
    const auto report = nlohmann::json::parse(bench.clock.run_until_done(bench.io, witness.end({"end", bench.in(1s)})));
    EXPECT_EQ(report["ok"], true);
    EXPECT_NEAR(report["duration_ns"].get<double>(), 12e6, 1e3);
    EXPECT_EQ(report["pacer"]["bytes"], 0);
    EXPECT_EQ(report["analyzer"]["captures"], 1);
    EXPECT_EQ(report["analyzer"]["samples"], 20'000);
    EXPECT_EQ(report["marker"]["edges"], 24);  // twelve tick interrupts
    EXPECT_EQ(report["marker"]["late_events"], 0);
    EXPECT_EQ(report["guest"]["run_delay_ns"], 0);
    const auto facts =
        nlohmann::json::parse(bench.clock.run_until_done(bench.io, witness.describe({"d", bench.in(1s)})));
    EXPECT_EQ(facts["bench"], "sim");
    EXPECT_EQ(facts["bit_ps"], bench.station.bit_time().count());
}

/// All that a run of the sim gives: console bytes, samples, and the witness's words.
std::string everything_of_a_run() {
    TestBench bench({.seed = 7, .frame_jitter = 5us, .analyzer_ppm = 33});
    bench.boot();
    KeptSamples samples;
    const auto capture = bench.start_capture(samples, 300'000);
    bench.clock.run_until_done(bench.io, bench.station.witness().begin({"begin", bench.in(1s)}));
    bench.command("echo 1 >/proc/irq_marker; sync; echo 0 >/proc/irq_marker");
    bench.finish(*capture);
    auto all = bench.clock.run_until_done(bench.io, bench.station.witness().end({"end", bench.in(1s)}));
    all += bench.log.bytes();
    for (const auto sample : samples.bytes) all += static_cast<char>(sample);
    return all;
}

TEST(SimStation, EqualRunsAreEqualToTheByte) {
    EXPECT_EQ(everything_of_a_run(), everything_of_a_run());
}

}  // namespace
}  // namespace rig::sim
