// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/irq_latency.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::target {
namespace {

using namespace std::chrono_literals;

TEST(IrqLatency, TheLayoutOfThe2007ReportIsRead) {
    const auto list = parse_worst_list(
        "irq latency worst 20 @ CPU 0\nfilter: 0\n    0.024348  vprintk\n    0.006338  vprintk\n"
        "    0.000158  mpu_timer1  26\n");
    ASSERT_EQ(list.rows.size(), 3U);
    EXPECT_EQ(list.rows[0].duration, 24348us);
    EXPECT_EQ(list.rows[0].site, "vprintk");
    EXPECT_FALSE(list.rows[0].irq);
    EXPECT_EQ(list.rows[2].site, "mpu_timer1");
    EXPECT_EQ(list.rows[2].irq.value(), 26U);
}

TEST(IrqLatency, EachCpuHasItsOwnBlock) {
    const auto list = parse_worst_list(
        "irq latency worst 20 @ CPU 0\nfilter: 5\n    0.000010  a\nirq latency worst 20 @ CPU 1\nfilter: 5\n"
        "    0.000020  b\n");
    EXPECT_EQ(list.filter_us, 5U);
    EXPECT_EQ(list.rows.at(0).cpu, 0U);
    EXPECT_EQ(list.rows.at(1).cpu, 1U);
}

TEST(IrqLatency, AnInterruptNameMayHaveSpaces) {
    const auto list =
        parse_worst_list("irq latency worst 20 @ CPU 0\nfilter: 0\n    0.000158  Versatile Timer Tick  20\n");
    EXPECT_EQ(list.rows.at(0).site, "Versatile Timer Tick");
    EXPECT_EQ(list.rows.at(0).irq.value(), 20U);
}

TEST(IrqLatency, ALineThatThePatchDoesNotPrintIsNamed) {
    EXPECT_THROW(parse_worst_list("irq latency worst 20 @ CPU 0\nfilter: 0\n    24 ms vprintk\n"), DutError);
    EXPECT_THROW(parse_worst_list(""), DutError);
    EXPECT_THROW(parse_worst_list("cat: can't open '/proc/irq_latency'\n"), DutError);
}

TEST(IrqLatency, EventsCarryStartAndDurationInNanoseconds) {
    const auto list = parse_events(
        "# irq_latency_events 1\n# filter_us: 200\n# dropped: 0\n# clock: sched_clock\n"
        "17 0 3250012345 23801234 console_emit_next_record -\n18 0 3280012345 158000 Versatile Timer Tick 20\n");
    ASSERT_EQ(list.events.size(), 2U);
    EXPECT_EQ(list.number("filter_us").value(), 200U);
    EXPECT_EQ(list.events[0].start.time_since_epoch(), 3250012345ns);
    EXPECT_EQ(list.events[0].section.duration, 23801234ns);
    EXPECT_FALSE(list.events[0].section.irq);
    EXPECT_EQ(list.events[1].section.irq.value(), 20U);
    EXPECT_EQ(list.events[1].section.site, "Versatile Timer Tick");
}

TEST(IrqLatency, AnotherVersionOrABrokenRowIsRefused) {
    EXPECT_THROW(parse_events("# irq_latency_events 2\n"), DutError);
    EXPECT_THROW(parse_events(""), DutError);
    EXPECT_THROW(parse_events("# irq_latency_events 1\n17 0 325 console -\n"), DutError);
}

}  // namespace
}  // namespace rig::target
