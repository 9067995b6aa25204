// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs on sims of targets as they are found: no patch, no root, a login, little userland.
#include "rig/evidence/append_file.hpp"
#include "tests/sim_run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rig::tests {
namespace {

using analysis::Verdict;
using plan::Account;

std::string plan_named(const std::string& name) {
    return evidence::read_file(RIG_SOURCE_DIR "/testplans/" + name + ".yaml");
}

/// The stock plan with one trial at each point: it is the target that is looked at.
std::string short_stock_plan() {
    auto text = plan_named("stock");
    const std::string trials = "trials: 6";
    return text.replace(text.find(trials), trials.size(), "trials: 1");
}

sim::SimParameters unpatched() {
    sim::SimParameters parameters;
    parameters.printk_test = sim::Presence::absent;
    parameters.irq_latency = sim::Presence::absent;
    parameters.marker = sim::Presence::absent;
    return parameters;
}

const analysis::CheckResult& check_of(const SimRun& run, const std::string& name) {
    return *std::ranges::find(run.result.checks, name, &analysis::CheckResult::name);
}

bool has_notice(const SimRun& run, const std::string& about) {
    return std::ranges::find(run.result.notices, about, &analysis::Notice::about) != run.result.notices.end();
}

TEST(StockTarget, NeedsNoPatch) {
    const auto run = run_on_sim(plan_named("stock"), unpatched());
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_EQ(check_of(*run, "irq_off agrees with wire").verdict, Verdict::skipped);
    EXPECT_EQ(check_of(*run, "lost ticks follow the model").verdict, Verdict::skipped);
    EXPECT_TRUE(run->result.missing.contains(Account::irq_off));
    for (const auto& trial : run->result.trials)
        EXPECT_NEAR(trial.interval_s.value().value, trial.wire_s.value().value, 2e-3);
}

TEST(StockTarget, TimerListTellsTheLostTicks) {
    const auto run = run_on_sim(short_stock_plan(), unpatched());
    EXPECT_EQ(run->result.sources.at(Account::jiffies), "/proc/timer_list before and behind the stimulus");
    for (const auto& trial : run->result.trials) {
        const auto us =
            std::chrono::floor<std::chrono::microseconds>(trial.record_time.value().time_since_epoch()).count();
        const auto start = fmt::format("[{:5}.{:06}] test ", us / 1'000'000, us % 1'000'000);
        const auto truth = std::ranges::find_if(
            run->truth, [&](const sim::RecordTruth& t) { return t.record.bytes.starts_with(start); });
        ASSERT_NE(truth, run->truth.end());
        EXPECT_EQ(trial.hz.value().hz, 1000U);
        EXPECT_NEAR(trial.lost_ticks.value().value, static_cast<double>(truth->record.ticks_lost), 1.01);
    }
}

TEST(StockTarget, TicksThatAreCaughtUpAreNotLost) {
    auto parameters = unpatched();
    parameters.tick_model = target::TickModel::catch_up;
    parameters.tick_rate = TickRate{250};
    const auto run = run_on_sim(short_stock_plan(), parameters);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    for (const auto& trial : run->result.trials) {
        EXPECT_EQ(trial.hz.value().hz, 250U);
        EXPECT_NEAR(trial.lost_ticks.value().value, 0, 1.1);
    }
}

TEST(StockTarget, WithoutTimerListJiffiesAreMissingAndTheRestStands) {
    auto parameters = unpatched();
    parameters.timer_list = sim::Presence::absent;
    const auto run = run_on_sim(short_stock_plan(), parameters);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_EQ(run->result.missing.at(Account::jiffies), "no interval=… line, and no /proc/timer_list that can be read");
}

TEST(StockTarget, IrqOffIsReadWhereTheKernelHasIt) {
    const auto run = run_on_sim(short_stock_plan());
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_EQ(check_of(*run, "lost ticks follow the model").verdict, Verdict::pass);
    for (const auto& trial : run->result.trials)
        EXPECT_NEAR(trial.irq_off_s.value().value, trial.wire_s.value().value, 1e-3);
}

TEST(StockTarget, AKmsgRecordIsAsLongAsThePlanSays) {
    const auto run = run_on_sim(
        "plan: p\ncases:\n  - { case: a, stimulus: { kmsg: { length: 100 } } }\n"
        "checks:\n  - { agree: [interval, wire], within: 3 % + 2 ms }\n");
    ASSERT_EQ(run->result.trials.size(), 1U);
    const auto prefix = std::string_view("[    1.234567] ").size();
    EXPECT_EQ(run->result.trials.front().frames, prefix + 100 + std::string_view("\r\n").size());
}

TEST(StockTarget, AShellWithoutChecksumIsReadTwice) {
    auto parameters = unpatched();
    parameters.checksum = sim::Presence::absent;
    const auto run = run_on_sim(short_stock_plan(), parameters);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
}

TEST(Login, ARootLoginIsGivenByTheLabFile) {
    auto parameters = unpatched();
    parameters.login = sim::SimParameters::Account{"root", "secret", 0};
    const auto run = run_on_sim(short_stock_plan(), parameters, "login: { user: root, password: secret }");
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
}

TEST(Login, AWrongPasswordIsSaid) {
    auto parameters = unpatched();
    parameters.login = sim::SimParameters::Account{"root", "secret", 0};
    const auto run = run_on_sim(short_stock_plan(), parameters, "login: { user: root, password: wrong }");
    EXPECT_EQ(run->result.exit_code(), 3);
    EXPECT_EQ(run->result.cause, "the console refuses the login of 'root'");
}

TEST(Login, AConsoleThatAsksWithoutAnAnswerInTheLabFileIsSaid) {
    auto parameters = unpatched();
    parameters.login = sim::SimParameters::Account{"root", "secret", 0};
    const auto run = run_on_sim(short_stock_plan(), parameters);
    EXPECT_EQ(run->result.exit_code(), 3);
    EXPECT_TRUE(run->result.hint.contains("boot: { login:")) << run->result.hint;
}

TEST(Login, AUserBecomesRootBySudo) {
    auto parameters = unpatched();
    parameters.prompt = "$ ";
    parameters.login = sim::SimParameters::Account{"me", "mine"};
    const auto run = run_on_sim(short_stock_plan(), parameters, "login: { user: me, password: mine, root by: sudo }");
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_FALSE(has_notice(*run, "user"));
}

TEST(WithoutRoot, RecordsCannotBePrintedAndTheHintNamesWhatCan) {
    auto parameters = unpatched();
    parameters.prompt = "$ ";
    parameters.login = sim::SimParameters::Account{"me", "mine"};
    const auto run = run_on_sim(short_stock_plan(), parameters, "login: { user: me, password: mine }");
    EXPECT_EQ(run->result.exit_code(), 4) << run->result.cause;
    EXPECT_TRUE(run->result.hint.contains("testplans/wire.yaml")) << run->result.hint;
}

TEST(WithoutRoot, TheWireIsMeasured) {
    auto parameters = unpatched();
    parameters.prompt = "$ ";
    parameters.baud_error_ppm = 3000;
    parameters.login = sim::SimParameters::Account{"me", "mine"};
    const auto run = run_on_sim(plan_named("wire"), parameters, "login: { user: me, password: mine }");
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_EQ(run->result.accounts, std::vector{Account::wire});
    EXPECT_TRUE(has_notice(*run, "user"));
    for (const auto& trial : run->result.trials) EXPECT_NEAR(trial.baud_hz.value().value, 115200 * 1.003, 20);
}

TEST(ABoardThatIsUp, IsWokenAndPutBack) {
    sim::SimParameters parameters;
    parameters.console_loglevel = 4;
    const auto run = run_on_sim(short_stock_plan(), parameters, "", Supply::always_on);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    const auto console = evidence::read_file(run->bundle / "console/main.bytes");
    for (const auto* command : {"echo filter 0 >/proc/irq_latency", "echo 4 4 1 7 >/proc/sys/kernel/printk"})
        EXPECT_TRUE(console.contains(command)) << command;
    const auto events = evidence::read_file(run->bundle / "events.jsonl");
    EXPECT_TRUE(events.contains(R"("step":"put the target back","outcome":"ok")"));
}

TEST(ABoardThatIsUp, IsLeftAloneWhenItIsSwitchedOffAnyway) {
    const auto run = run_on_sim(short_stock_plan());
    EXPECT_FALSE(evidence::read_file(run->bundle / "events.jsonl").contains("put the target back"));
}

TEST(StockTarget, FirmwareAtAnotherRateIsNoiseBeforeTheKernel) {
    auto parameters = unpatched();
    for (int i = 0; i < 200; ++i) parameters.firmware_noise += static_cast<char>(0x80 + 7 * i % 128);
    const auto run = run_on_sim(short_stock_plan(), parameters);
    EXPECT_EQ(run->result.verdict, Verdict::pass) << run->result.cause;
    EXPECT_TRUE(has_notice(*run, "firmware"));
    EXPECT_FALSE(has_notice(*run_on_sim(short_stock_plan(), unpatched()), "firmware"));
}

TEST(Notices, SayWhatIsBetweenARecordAndItsFigures) {
    auto parameters = unpatched();
    parameters.consoles =
        "ttyAMA0              -W- (EN p a)  204:64\ntty0                 -WU (EC p  )    4:7\n"
        "pl11                 -W- (EB   a)\n";
    parameters.boot_words = "quiet";
    const auto run = run_on_sim(short_stock_plan(), parameters);
    for (const auto* about : {"consoles", "boot console", "nbcon", "baud", "loglevel"})
        EXPECT_TRUE(has_notice(*run, about)) << about;
    EXPECT_FALSE(has_notice(*run, "user"));
}

}  // namespace
}  // namespace rig::tests
