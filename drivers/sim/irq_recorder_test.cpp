// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/irq_recorder.hpp"

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

target::IrqOffSection section(std::string site, std::chrono::nanoseconds duration) {
    return {.site = std::move(site), .irq = {}, .cpu = 0, .duration = duration};
}

TEST(IrqRecorder, TheWorstListIsThatOfThe2007Report) {
    IrqRecorder recorder(41ns);
    recorder.record(section("printk", 6439us), target_time{1s});
    recorder.record(section("vprintk", 24348900ns), target_time{2s});
    recorder.record({.site = "timer0", .irq = 20, .cpu = 0, .duration = 158us}, target_time{3s});
    EXPECT_EQ(recorder.worst_file(),
              "irq latency worst 20 @ CPU 0\nfilter: 0\n    0.024348  vprintk\n    0.006439  printk\n"
              "    0.000158  timer0  20\n");
}

TEST(IrqRecorder, TheWorstTwentyAreKept) {
    IrqRecorder recorder(41ns);
    for (int i = 1; i <= 50; ++i) recorder.record(section("f", std::chrono::microseconds{i}), target_time{});
    const auto list = target::parse_worst_list(recorder.worst_file());
    ASSERT_EQ(list.rows.size(), 20U);
    EXPECT_EQ(list.rows.front().duration, 50us);
    EXPECT_EQ(list.rows.back().duration, 31us);
}

TEST(IrqRecorder, EventsAreReadBackByTheRigsOwnParser) {
    IrqRecorder recorder(41ns);
    recorder.record(section("console_emit_next_record", 23801234ns), target_time{3250012345ns});
    recorder.record({.site = "timer0", .irq = 20, .cpu = 0, .duration = 158us}, target_time{3280012345ns});
    const auto list = target::parse_events(recorder.events_file());
    ASSERT_EQ(list.events.size(), 2U);
    EXPECT_EQ(list.number("clock_step_ns").value(), 41U);
    EXPECT_EQ(list.events[0].start, target_time{3250012345ns});
    EXPECT_EQ(list.events[0].section.duration, 23801234ns);
    EXPECT_EQ(list.events[1].section.irq.value(), 20U);
}

TEST(IrqRecorder, OldEventsAreOverwrittenAndCounted) {
    IrqRecorder recorder(41ns);
    for (int i = 0; i < 300; ++i) recorder.record(section("f", 1us), target_time{});
    const auto list = target::parse_events(recorder.events_file());
    EXPECT_EQ(list.events.size(), 256U);
    EXPECT_EQ(list.number("dropped").value(), 44U);
    EXPECT_EQ(list.events.front().sequence, 44U);
}

TEST(IrqRecorder, AFilterDropsWhatIsShorterAndAResetForgets) {
    IrqRecorder recorder(41ns);
    EXPECT_TRUE(recorder.command("filter 200"));
    recorder.record(section("short", 199999ns), target_time{});
    recorder.record(section("long", 200us), target_time{});
    EXPECT_EQ(target::parse_worst_list(recorder.worst_file()).rows.size(), 1U);
    EXPECT_EQ(target::parse_events(recorder.events_file()).events.size(), 1U);
    EXPECT_TRUE(recorder.command("reset"));
    EXPECT_TRUE(target::parse_worst_list(recorder.worst_file()).rows.empty());
    EXPECT_EQ(target::parse_worst_list(recorder.worst_file()).filter_us, 200U);
    EXPECT_TRUE(target::parse_events(recorder.events_file()).events.empty());
}

TEST(IrqRecorder, OtherWritesAreRefused) {
    IrqRecorder recorder(41ns);
    for (const char* text : {"", "resets", "filter", "filter x", "filter -1", "filter 4294968"})
        EXPECT_FALSE(recorder.command(text)) << text;
}

}  // namespace
}  // namespace rig::sim
