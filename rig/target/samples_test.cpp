// SPDX-License-Identifier: GPL-3.0-or-later
// What a real kernel printed, recorded in firmware-target/samples/, as rig reads it.
#include "rig/console/kernel_log.hpp"
#include "rig/target/consoles.hpp"
#include "rig/target/irq_latency.hpp"
#include "rig/target/printk_test.hpp"
#include "rig/target/timer_list.hpp"
#include "rig/target/trace_events.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace rig::target {
namespace {

using namespace std::chrono_literals;

const std::filesystem::path samples = RIG_SOURCE_DIR "/firmware-target/samples";

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file;
    std::ostringstream text;
    text << stream.rdbuf();
    return std::move(text).str();
}

std::string versatilepb(const std::string& file) {
    return text_of(samples / "versatilepb-6.1" / file);
}

const IrqOffEvent& event(const EventList& list, std::uint64_t sequence) {
    return list.events.at(sequence - list.events.at(0).sequence);
}

std::chrono::nanoseconds end_of(const IrqOffEvent& event) {
    return event.start.time_since_epoch() + event.section.duration;
}

/// A file that a board's folder may hold, and how rig reads it.
using Reader = std::function<void(const std::string&)>;

const std::map<std::string, Reader> readers{
    {"consoles.txt", [](const std::string& text) { EXPECT_TRUE(parse_consoles(text).at(0).serial()); }},
    {"kernel_config.txt", [](const std::string& text) { EXPECT_TRUE(parse_tick_rate(text)); }},
    {"timer_list.txt",
     [](const std::string& text) {
         EXPECT_EQ(parse_tick_model(text), TickModel::one_per_interrupt);
         EXPECT_EQ(parse_tick_readings(text).size(), 2U);
     }},
    {"trace.txt", [](const std::string& text) { EXPECT_FALSE(parse_trace(text).events.empty()); }},
    {"console-sync.txt", [](const std::string& text) { EXPECT_TRUE(console::find_interval(text, 0)); }},
    {"irq_latency.txt", [](const std::string& text) { EXPECT_FALSE(parse_worst_list(text).rows.empty()); }},
    {"irq_latency_events.txt", [](const std::string& text) { EXPECT_FALSE(parse_events(text).events.empty()); }},
    {"irq_marker.txt", [](const std::string& text) { EXPECT_TRUE(text.starts_with("armed: ")); }},  // only written
    {"printk_test.txt", [](const std::string& text) { EXPECT_TRUE(parse_printk_test(text).clocks.tick_rate); }},
};

TEST(Samples, EveryFileOfEveryBoardIsRead) {
    unsigned files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
        if (!entry.is_regular_file()) continue;
        const auto reader = readers.find(entry.path().filename().string());
        ASSERT_NE(reader, readers.end()) << "no test reads " << entry.path();
        EXPECT_NO_THROW(reader->second(text_of(entry.path()))) << entry.path();
        ++files;
    }
    EXPECT_GE(files, readers.size());
}

TEST(Samples, TheWorstListIsTwentySectionsWorstFirst) {
    const auto list = parse_worst_list(versatilepb("irq_latency.txt"));
    EXPECT_EQ(list.filter_us, 100U);
    ASSERT_EQ(list.rows.size(), 20U);
    EXPECT_EQ(list.rows[0].duration, 23376us);
    EXPECT_EQ(list.rows[0].site, "console_emit_next_record");
    EXPECT_FALSE(list.rows[0].irq);
    EXPECT_EQ(list.rows[6].site, "uart-pl011");
    EXPECT_EQ(list.rows[6].irq.value(), 28U);
    EXPECT_EQ(list.rows[6].duration, 832us);
    EXPECT_EQ(list.rows[19].site, "tty_jobctrl_ioctl");
    EXPECT_EQ(list.rows[19].duration, 177us);
    EXPECT_TRUE(std::is_sorted(list.rows.begin(), list.rows.end(),
                               [](const auto& a, const auto& b) { return a.duration > b.duration; }));
    for (const auto& row : list.rows) EXPECT_EQ(row.cpu, 0U);
}

TEST(Samples, TheEventsSayHowTheyWereMeasured) {
    const auto list = parse_events(versatilepb("irq_latency_events.txt"));
    EXPECT_EQ(list.number("filter_us"), 100U);
    EXPECT_EQ(list.number("dropped"), 0U);
    EXPECT_EQ(list.facts.at("clock"), "sched_clock");
    EXPECT_EQ(list.number("clock_step_ns"), 125U);
    EXPECT_EQ(list.number("cost_per_section_ns"), 470U);
}

TEST(Samples, TheEventsAreNumberedInTheOrderOfTheirEnds) {
    const auto list = parse_events(versatilepb("irq_latency_events.txt"));
    ASSERT_EQ(list.events.size(), 117U);
    EXPECT_EQ(list.events.front().sequence, 15121U);
    EXPECT_EQ(list.events.back().sequence, 15237U);
    for (std::size_t i = 0; i < list.events.size(); ++i) {
        EXPECT_EQ(list.events[i].sequence, list.events[0].sequence + i);
        EXPECT_GE(list.events[i].section.duration, 100us) << list.events[i].sequence;
    }
    EXPECT_TRUE(std::is_sorted(list.events.begin(), list.events.end(),
                               [](const auto& a, const auto& b) { return end_of(a) < end_of(b); }));
}

TEST(Samples, TheSectionOfTheLongRecordIsThere) {
    const auto list = parse_events(versatilepb("irq_latency_events.txt"));
    const auto& record = event(list, 15137);
    EXPECT_EQ(record.start.time_since_epoch(), 1513998285ns);
    EXPECT_EQ(record.section.duration, 23376875ns);
    EXPECT_EQ(record.section.site, "console_emit_next_record");
    EXPECT_FALSE(record.section.irq);
    EXPECT_EQ(event(list, 15125).section.site, "uart-pl011");
    EXPECT_EQ(event(list, 15125).section.irq.value(), 28U);
}

TEST(Samples, BothFilesTellOfTheSameSections) {
    const auto worst = parse_worst_list(versatilepb("irq_latency.txt"));
    const auto events = parse_events(versatilepb("irq_latency_events.txt"));
    for (const std::uint64_t sequence : {15137U, 15138U, 15139U, 15140U}) {  // the records of the sync
        const auto& section = event(events, sequence).section;
        const auto cut = std::chrono::floor<std::chrono::microseconds>(section.duration);
        EXPECT_TRUE(std::any_of(worst.rows.begin(), worst.rows.end(), [&](const IrqOffSection& row) {
            return row.duration == cut && row.site == section.site;
        })) << sequence;
    }
}

TEST(Samples, TheTargetSaysWhatItsClocksAre) {
    const auto facts = parse_printk_test(versatilepb("printk_test.txt"));
    EXPECT_EQ(facts.version, "1");
    EXPECT_EQ(facts.clocks.tick_rate.value().hz, 1000U);
    EXPECT_EQ(facts.clocks.tick_model.value(), TickModel::one_per_interrupt);
    EXPECT_EQ(facts.clocks.clock_step.value(), 125ns);
}

TEST(Samples, TheConsoleOfASyncHoldsBothRecordsAndTheirIntervals) {
    const auto text = versatilepb("console-sync.txt");
    const auto long_record = console::find_record(text, "test 1f2e3d4c ").value();
    const auto short_record = console::find_record(text, "short 1f2e3d4c ").value();
    EXPECT_EQ(long_record.end - long_record.begin, 274U);
    EXPECT_EQ(short_record.end - short_record.begin, 70U);
    EXPECT_EQ(long_record.time.value().time_since_epoch(), 1513838us);
    EXPECT_EQ(short_record.time.value().time_since_epoch(), 1541554us);
    const auto long_interval = console::find_interval(text, long_record.end, short_record.begin).value();
    const auto short_interval = console::find_interval(text, short_record.end).value();
    EXPECT_EQ(long_interval.interval, 23705917ns);
    EXPECT_EQ(short_interval.interval, 6025375ns);
    EXPECT_EQ(long_interval.jiffies.count, 0);
    EXPECT_EQ(short_interval.jiffies.count, 0);
    EXPECT_FALSE(console::find_death(text));
}

TEST(Samples, TheSectionsLieWithinTheIntervalsAroundThem) {
    const auto text = versatilepb("console-sync.txt");
    const auto events = parse_events(versatilepb("irq_latency_events.txt"));
    const auto record = console::find_record(text, "test 1f2e3d4c ").value();
    const auto interval = console::find_interval(text, record.end).value();
    const auto& section = event(events, 15137);
    EXPECT_GE(section.start.time_since_epoch(), record.time.value().time_since_epoch());
    EXPECT_LE(section.section.duration, interval.interval);
    EXPECT_LE(end_of(section), interval.record.time.value().time_since_epoch());
}

}  // namespace
}  // namespace rig::target
