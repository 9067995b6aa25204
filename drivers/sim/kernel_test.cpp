// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/kernel.hpp"

#include "drivers/sim/test_bench.hpp"
#include "rig/target/irq_latency.hpp"
#include "rig/target/printk_test.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;
using target::TickModel;

/// The truth of the records of one command on a freshly booted board.
std::vector<RecordTruth> printed_by(const std::string& command, SimParameters parameters) {
    TestBench bench(std::move(parameters));
    bench.boot();
    bench.command("echo nonce=ab >/proc/printk_test");
    bench.command(command);
    return bench.station.truth_of("ab");
}

/// interval·HZ − jiffies, from what the target printed alone.
double lost_by_the_report(const PrintedRecord::Measured& measured, unsigned hz) {
    return to_seconds(measured.interval) * hz - static_cast<double>(measured.jiffies.count);
}

TEST(SimKernel, InterruptsAreOffForTheWireTimeOfTheRecordAndItsOverhead) {
    const auto truth = printed_by("sync", {.printk_before = 60us, .printk_after = 30us});
    ASSERT_EQ(truth.size(), 2U);
    for (const auto& [record, place] : truth) {
        const auto expected = std::chrono::floor<std::chrono::nanoseconds>(record.wire + picoseconds{90us});
        EXPECT_EQ(record.irq_off, expected);
        EXPECT_NEAR(to_seconds(record.irq_off_reported), to_seconds(expected), 41e-9);
    }
}

TEST(SimKernel, FramesThatStayInTheFifoCostNoTimeWithInterruptsOff) {
    const auto all = printed_by("echo length=200 >/proc/printk_test", {.fifo = 0});
    const auto ahead = printed_by("echo length=200 >/proc/printk_test", {.fifo = 16});
    const auto saved = all.at(0).record.irq_off - ahead.at(0).record.irq_off;
    EXPECT_EQ(all.at(0).record.wire, ahead.at(0).record.wire);
    EXPECT_NEAR(to_seconds(saved), to_seconds(160 * bit_time(Baud{115200}, {})), 2e-9);
}

TEST(SimKernel, AllButOneTickOfASectionAreLostWhenTheTickIsPeriodic) {
    for (const auto phase : {0us, 130us, 500us, 870us}) {
        const auto truth = printed_by("sync", {.tick_model = TickModel::one_per_interrupt, .tick_phase = phase});
        const auto& record = truth.at(0).record;
        const auto lost = record.measured.value().lost.count;
        EXPECT_TRUE(lost == 22 || lost == 23) << lost;
        EXPECT_EQ(record.ticks_lost, static_cast<std::uint64_t>(lost));
        EXPECT_EQ(record.measured.value().jiffies.count, 1);
        EXPECT_NEAR(lost_by_the_report(*record.measured, 1000), static_cast<double>(lost), 1.1);
    }
}

TEST(SimKernel, NoTickIsLostWhenTheKernelCatchesUp) {
    const auto truth = printed_by("sync", {.tick_model = TickModel::catch_up});
    const auto& record = truth.at(0).record;
    EXPECT_EQ(record.measured.value().lost.count, 0);
    EXPECT_NEAR(lost_by_the_report(*record.measured, 1000), 0, 1.01);
    EXPECT_GE(record.measured.value().jiffies.count, 23);
}

TEST(SimKernel, TheIntervalHoldsTheTimeWithInterruptsOnToo) {
    // As in the first run of the 2007 report, whose intervals hold 20 ms more.
    const auto truth = printed_by("sync", {.printk_irqs_on = 20ms});
    const auto& record = truth.at(0).record;
    EXPECT_NEAR(to_seconds(record.measured.value().interval), to_seconds(record.irq_off) + 0.02, 20e-6);
    EXPECT_EQ(record.measured.value().jiffies.count - 1, 20);
    EXPECT_NEAR(static_cast<double>(record.measured.value().lost.count), 22.5, 0.6);
}

TEST(SimKernel, AnotherTickRateLosesInProportion) {
    const auto truth = printed_by("sync", {.tick_rate = TickRate{250}});
    EXPECT_NEAR(static_cast<double>(truth.at(0).record.measured.value().lost.count), 5, 1);
}

TEST(SimKernel, TheTargetMeasuresWithItsOwnClock) {
    const auto exact = printed_by("sync", {.clock_step = 1ns});
    const auto fast = printed_by("sync", {.target_ppm = 1000, .clock_step = 1ns});
    const auto coarse = printed_by("sync", {.clock_step = 10ms});
    EXPECT_NEAR(to_seconds(fast.at(0).record.measured.value().interval),
                to_seconds(exact.at(0).record.measured.value().interval) * 1.001, 5e-9);
    EXPECT_EQ(coarse.at(0).record.measured.value().interval % 10ms, 0ns);
}

TEST(SimKernel, ADraggedBaudStretchesTheWireAndTheSection) {
    const auto slow = printed_by("sync", {.baud_error_ppm = -20000});
    EXPECT_EQ(slow.at(0).record.wire, 2740 * bit_time(Baud{115200}, RateError::of_ppm(-20000)));
    EXPECT_NEAR(to_seconds(slow.at(0).record.irq_off), 2740 / (115200 * 0.98) + 90e-6, 1e-7);
}

TEST(SimKernel, ALyingInstrumentReportsItsFactor) {
    const auto truth = printed_by("sync", {.irq_off_bias = 0.5});
    EXPECT_NEAR(to_seconds(truth.at(0).record.irq_off_reported), to_seconds(truth.at(0).record.irq_off) / 2, 1e-7);
}

TEST(SimKernel, TheSectionsAreInTheTargetsOwnFiles) {
    TestBench bench;
    bench.boot();
    bench.command(
        "echo filter 200 >/proc/irq_latency; echo reset >/proc/irq_latency; echo nonce=ab >/proc/printk_test");
    bench.command("sync");
    const auto truth = bench.station.truth_of("ab");
    const auto worst = target::parse_worst_list(bench.file("/proc/irq_latency").output);
    EXPECT_EQ(worst.filter_us, 200U);
    ASSERT_EQ(worst.rows.size(), 4U);  // two records and their intervals
    EXPECT_EQ(worst.rows[0].site, "console_emit_next_record");
    EXPECT_EQ(worst.rows[0].duration,
              std::chrono::floor<std::chrono::microseconds>(truth.at(0).record.irq_off_reported));
    const auto events = target::parse_events(bench.file("/proc/irq_latency_events").output);
    ASSERT_EQ(events.events.size(), 4U);
    EXPECT_EQ(events.events[0].section.duration, truth.at(0).record.irq_off_reported);
    EXPECT_EQ(events.events[2].section.duration, truth.at(1).record.irq_off_reported);
}

TEST(SimKernel, TickInterruptsAreSectionsOfTheirOwn) {
    TestBench bench({.tick_handler = 8us});
    bench.boot();
    bench.pass(100ms);
    const auto events = target::parse_events(bench.file("/proc/irq_latency_events").output);
    const auto ticks =
        std::ranges::count(events.events, "timer", [](const target::IrqOffEvent& event) { return event.section.site; });
    EXPECT_GT(ticks, 90);
    EXPECT_EQ(events.events.back().section.irq.value(), 20U);
    EXPECT_NEAR(to_seconds(events.events.back().section.duration), 8e-6, 1e-7);
}

TEST(SimKernel, ARecordBelowTheConsolesLevelIsNotPrinted) {
    TestBench bench;
    bench.boot();
    bench.command("echo 3 >/proc/sys/kernel/printk");
    EXPECT_EQ(bench.file("/proc/sys/kernel/printk").output, "3\t4\t1\t7\n");
    const auto before = bench.station.truth().size();
    bench.command("sync");
    bench.command("echo '<4>not shown' >/dev/kmsg");
    bench.command("echo '<2>shown' >/dev/kmsg");
    const auto truth = bench.station.truth();
    ASSERT_EQ(truth.size(), before + 1);
    EXPECT_TRUE(truth.back().record.bytes.ends_with("] shown\r\n"));
}

TEST(SimKernel, SeveralRecordsBearTheSameNonce) {
    const auto truth = printed_by("echo length=100 count=3 >/proc/printk_test", {});
    ASSERT_EQ(truth.size(), 3U);
    EXPECT_LT(truth[0].record.wire_start + truth[0].record.wire, truth[1].record.wire_start);
}

TEST(SimKernel, JiffiesStartFiveMinutesBeforeTheirWrap) {
    TestBench bench;
    bench.boot();
    const auto text = bench.file("/proc/printk_test").output;
    EXPECT_NE(text.find("jiffies: 42946"), std::string::npos) << text;
}

TEST(SimKernel, TerminalOutputBehindTheFifoWaitsForTheRecord) {
    TestBench bench({.uart_fifo = 4, .command_time = 1us});
    bench.boot();
    const auto from = bench.log.size();
    bench.type("echo 0123456789; sync\r");
    bench.expect("~ # ", from);
    const std::string text(bench.log.since(from));
    // The echo's line ending fills half of the FIFO, the record cuts in behind it.
    EXPECT_NE(text.find("sync\r\n01["), std::string::npos) << text;
}

}  // namespace
}  // namespace rig::sim
