// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/trace_events.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::target {
namespace {

using namespace std::chrono_literals;

const std::string section =
    "              sh-25      [000] d....     8.376073: irq_disable: "
    "caller=console_emit_next_record.constprop.0+0x210/0x2c8 parent=0x0\n"
    "              sh-25      [000] d....     8.382876: irq_enable: "
    "caller=console_emit_next_record.constprop.0+0x208/0x2c8 parent=0x0\n";

TEST(TraceEvents, ASectionLastsFromDisableToEnable) {
    const auto list = parse_trace("# tracer: nop\n#\n" + section);
    ASSERT_EQ(list.events.size(), 1U);
    EXPECT_EQ(list.events[0].section.site, "console_emit_next_record");
    EXPECT_EQ(list.events[0].section.duration, 6803us);
    EXPECT_EQ(list.events[0].start.time_since_epoch(), 8376073us);
    EXPECT_FALSE(list.events[0].section.irq);
    EXPECT_EQ(list.complete_from.value().time_since_epoch(), 8376073us);
}

TEST(TraceEvents, ALockIsNotTheSiteItsTakerIs) {
    const auto list = parse_trace(
        "  a b-7  [001] d..1. 1.000000: irq_disable: caller=_raw_spin_lock_irqsave+0x10/0x20 "
        "parent=uart_write+0x8/0x9\n"
        "  a b-7  [001] d..1. 1.002000: irq_enable: caller=_raw_spin_unlock+0x1/0x2 parent=0x0\n"
        "  c-7  [001] 2.000000: irq_disable: caller=trace_hardirqs_off+0x10/0x20 parent=alloc_pid+0x8/0x9\n"
        "  c-7  [001] 2.002000: irq_enable: caller=trace_hardirqs_on+0x1/0x2 parent=0x0\n");
    ASSERT_EQ(list.events.size(), 2U);
    EXPECT_EQ(list.events[0].section.site, "uart_write");
    EXPECT_EQ(list.events[0].section.cpu, 1U);
    EXPECT_EQ(list.events[1].section.site, "alloc_pid");
}

TEST(TraceEvents, AHandlerGivesItsNameAndNumber) {
    const auto list = parse_trace(
        "  <idle>-0 [000] d.h.. 1.000000: irq_disable: caller=__irq_svc+0x10/0x20 parent=0x0\n"
        "  <idle>-0 [000] d.h.. 1.000010: irq_handler_entry: irq=20 name=timer\n"
        "  <idle>-0 [000] d.h.. 1.000020: irq_handler_entry: irq=21 name=second\n"
        "  <idle>-0 [000] d.h.. 1.001000: irq_enable: caller=__irq_svc+0x10/0x20 parent=0x0\n");
    ASSERT_EQ(list.events.size(), 1U);
    EXPECT_EQ(list.events[0].section.site, "timer");
    EXPECT_EQ(list.events[0].section.irq, 20U);
}

TEST(TraceEvents, EachCpuHasItsOwnSection) {
    const auto list = parse_trace(
        "  a-1 [000] d.... 1.000000: irq_disable: caller=one+0x1/0x2 parent=0x0\n"
        "  b-2 [001] d.... 1.001000: irq_disable: caller=two+0x1/0x2 parent=0x0\n"
        "  a-1 [000] d.... 1.002000: irq_enable: caller=one+0x1/0x2 parent=0x0\n"
        "  b-2 [001] d.... 1.004000: irq_enable: caller=two+0x1/0x2 parent=0x0\n");
    ASSERT_EQ(list.events.size(), 2U);
    EXPECT_EQ(list.events[0].section.duration, 2ms);
    EXPECT_EQ(list.events[1].section.duration, 3ms);
}

TEST(TraceEvents, AnEndWithoutBeginningIsNoSection) {
    EXPECT_TRUE(parse_trace("  a-1 [000] d.... 1.000000: irq_enable: caller=one+0x1/0x2 parent=0x0\n").events.empty());
}

TEST(TraceEvents, WhatTheBufferHasOverwrittenIsCounted) {
    const auto list = parse_trace("# entries-in-buffer/entries-written: 141/200   #P:1\n" + section);
    EXPECT_EQ(list.number("dropped"), 59U);
}

TEST(TraceEvents, ADamagedLineIsNamed) {
    try {
        parse_trace("# tracer: nop\n  sh-25 [000] d.... 8.37: irq_dis\n");
        FAIL();
    } catch (const DutError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("trace:2: ")) << error.what();
    }
}

TEST(TraceEvents, ATimeThatNoClockHasIsNoTime) {
    for (const auto* time : {"99999999999.000000:", "-1.000000:", "1.-00001:", ".:", "1.0000000:", ":"})
        EXPECT_THROW(parse_trace(std::string("a-1 [000] d.... ") + time + " irq_enable: caller=x+0x1/0x2 parent=0x0\n"),
                     DutError)
            << time;
}

TEST(TraceEvents, TheFilterHoldsTheShortestSection) {
    EXPECT_TRUE(section_filter(520us).contains(">=0.000520"));
}

}  // namespace
}  // namespace rig::target
