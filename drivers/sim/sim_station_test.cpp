// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_station.hpp"

#include <gtest/gtest.h>

#include "drivers/sim/test_bench.hpp"
#include "rig/console/kernel_log.hpp"
#include "rig/error.hpp"
#include "rig/target/irq_latency.hpp"
#include "rig/target/printk_test.hpp"

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
    EXPECT_TRUE(facts.intact());
    EXPECT_TRUE(facts.checksum);
    const auto parsed = target::parse_printk_test(facts.output);
    EXPECT_EQ(parsed.tick_rate.value().hz, 1000U);
    EXPECT_EQ(parsed.clock_step.value(), 41ns);
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
    SCOPED_TRACE(std::string(bytes.substr(from)));
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

}  // namespace
}  // namespace rig::sim
