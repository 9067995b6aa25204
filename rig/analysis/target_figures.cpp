// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/target_figures.hpp"

#include "rig/error.hpp"
#include "rig/target/printk_test.hpp"
#include "rig/target/timer_list.hpp"
#include "rig/target/trace_events.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;

/// The printk time of a record has microseconds: its sections may begin up to this much before the rounded time.
constexpr std::chrono::nanoseconds printk_time_step = std::chrono::microseconds{1};

void set_interval(TrialResult& result, std::chrono::nanoseconds interval, std::chrono::nanoseconds step,
                  std::string source) {
    if (interval <= step) {
        result.missing[Account::interval] =
            fmt::format("the interval of {} is no more than its clock's step of {}",
                        show_duration(to_seconds(interval)), show_duration(to_seconds(step)));
        return;
    }
    result.interval_s = Figure{to_seconds(interval), u_of_two_readings(to_seconds(step))};
    result.sources[Account::interval] = std::move(source);
}

/// Where nobody measured around the printk, the time from its record to the next, with the target's way from one write
/// to the other in it.
void measure_interval_by_records(TrialResult& result, const console::Record& record, const console::Record& next) {
    if (!record.time || !next.time) {
        result.missing[Account::interval] = "the records bear no printk time";
        return;
    }
    set_interval(result, *next.time - *record.time, printk_time_step,
                 "printk times of the record and the next, the shell's way between them included");
}

/// Jiffies by printk_test around the printk, else by the two readings of /proc/timer_list around the stimulus.
void read_jiffies(TrialResult& result, const ConsoleEvidence& console, const std::optional<std::string>& timer_list) {
    if (console.interval) {
        result.jiffies = console.interval->jiffies;
        result.sources[Account::jiffies] = "printk_test: jiffies around the printk";
        return;
    }
    if (!timer_list) {
        result.missing[Account::jiffies] = console.record
                                               ? "no interval=… line, and no /proc/timer_list that can be read"
                                               : "no record on the console";
        return;
    }
    const auto readings = target::parse_tick_readings(*timer_list);
    if (readings.size() != 2) {
        result.missing[Account::jiffies] = "/proc/timer_list tells no jiffies on this kernel";
        return;
    }
    const auto window = readings.back().now - readings.front().now;
    const auto jiffies = target::jiffies_between(readings.front(), readings.back());
    // No kernel has more than 1200 of them a second (kernel/Kconfig.hz and the architectures' own).
    constexpr double most_a_second = 1200;
    if (window <= std::chrono::nanoseconds{0} ||
        static_cast<double>(jiffies.count) > to_seconds(window) * most_a_second + 2) {
        result.missing[Account::jiffies] =
            "/proc/timer_list was read with times or jiffies that do not follow each other";
        return;
    }
    result.jiffies = jiffies;
    // Time and jiffies of one reading are taken one behind the other: microseconds that the tick's phase covers.
    result.tick_window_s = Figure{to_seconds(window), 0};
    result.sources[Account::jiffies] = "/proc/timer_list before and behind the stimulus";
}

void count_ticks(TrialResult& result, const target::ClockFacts& facts) {
    if (!result.jiffies) return;
    if (!facts.tick_rate) {
        result.missing[Account::jiffies] = "the target does not state its HZ";
        return;
    }
    result.hz = facts.tick_rate;
    const auto& window = result.tick_window_s ? result.tick_window_s : result.interval_s;
    if (!window) return;
    const double hz = facts.tick_rate->hz;
    const double expected = window->value * hz;
    // The phase of the tick at both ends of the interval is unknown: a triangle of ±1 tick.
    const double u_phase = 1 / std::sqrt(6.0);
    result.expected_ticks = Figure{expected, window->u * hz};
    result.lost_ticks = Figure{expected - static_cast<double>(result.jiffies->count), combine(window->u * hz, u_phase)};
}

/// The sections of the record's printk. Linux stores a record with interrupts off and takes its time meanwhile
/// (vprintk_store in kernel/printk/printk.c): the section around the record's time is its own, the one around the time
/// of the interval that is printed next is that one's.
void place_sections(TrialResult& result, const target::EventList& list, const ConsoleEvidence& console) {
    if (!console.record || !console.record->time) {
        result.missing[Account::irq_off] = console.record ? "the record bears no printk time to place sections by"
                                                          : "no record on the console to place sections by";
        return;
    }
    const auto begin = *console.record->time - printk_time_step;
    const auto& next = console.interval ? std::optional(console.interval->record) : console.next;
    const auto end = next && next->time ? *next->time + printk_time_step : target_time::max();
    // The target keeps the last sections only: those of this record may be among what later ones have overwritten.
    const auto overwritten = list.number("dropped").value_or(0);
    const auto complete_from = list.complete_from    ? *list.complete_from
                               : list.events.empty() ? target_time::max()
                                                     : list.events.front().start;
    if (overwritten > 0 && complete_from > begin) {
        result.missing[Account::irq_off] =
            fmt::format("the target has overwritten {} sections, back into the record's time", overwritten);
        return;
    }
    for (const auto& event : list.events) {
        const auto stop = event.start + event.section.duration;
        if (stop > begin && stop <= end) result.sections.push_back(event);
    }
}

/// The sections that a target reported, with what they are worth.
struct ReportedSections {
    target::EventList list;
    std::optional<std::chrono::nanoseconds> clock_step;
    std::string source;
};

/// By the account in the kernel where there is one, else by its trace events. Nothing when there is neither.
std::optional<ReportedSections> read_sections(const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                                              const target::ClockFacts& facts) {
    const auto events = file_of(bundle, trial, "irq_latency_events");
    const auto worst = file_of(bundle, trial, "irq_latency");
    if (events && worst) {
        target::parse_worst_list(*worst);
        ReportedSections reported{target::parse_events(*events), facts.clock_step, "/proc/irq_latency_events"};
        if (const auto step_ns = reported.list.number("clock_step_ns"); step_ns && !reported.clock_step)
            reported.clock_step = std::chrono::nanoseconds{*step_ns};
        return reported;
    }
    if (const auto trace = file_of(bundle, trial, "trace"))
        return ReportedSections{target::parse_trace(*trace), target::trace_clock_step, "preemptirq trace events"};
    return std::nullopt;
}

}  // namespace

void measure_interval(TrialResult& result, const ConsoleEvidence& console, const target::ClockFacts& facts) {
    if (console.interval && facts.clock_step)
        return set_interval(result, console.interval->interval, *facts.clock_step,
                            "printk_test: sched_clock around the printk");
    if (!console.interval && console.record && console.next)
        return measure_interval_by_records(result, *console.record, *console.next);
    result.missing[Account::interval] = console.interval  ? "the target does not state the step of its clock"
                                        : !console.record ? "no record on the console"
                                                          : "no interval=… line behind the record, and no next record";
}

void measure_ticks(TrialResult& result, const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                   const ConsoleEvidence& console, const target::ClockFacts& facts) {
    try {
        read_jiffies(result, console, file_of(bundle, trial, "timer_list"));
    } catch (const Error& error) {
        result.missing[Account::jiffies] = error.what();
    }
    count_ticks(result, facts);
}

void measure_irq_off(TrialResult& result, const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                     const ConsoleEvidence& console, const target::ClockFacts& facts) {
    std::optional<std::chrono::nanoseconds> clock_step;
    std::string source;
    try {
        const auto reported = read_sections(bundle, trial, facts);
        if (!reported) {
            result.missing[Account::irq_off] =
                "neither /proc/irq_latency nor the preemptirq trace events can be read on this target";
            return;
        }
        clock_step = reported->clock_step;
        source = reported->source;
        if (clock_step) result.section_u_s = u_of_two_readings(to_seconds(*clock_step));
        place_sections(result, reported->list, console);
    } catch (const Error& error) {
        result.missing[Account::irq_off] = error.what();
        return;
    }
    if (result.missing.contains(Account::irq_off)) return;
    const auto longest =
        std::max_element(result.sections.begin(), result.sections.end(),
                         [](const auto& a, const auto& b) { return a.section.duration < b.section.duration; });
    if (longest == result.sections.end()) {
        result.missing[Account::irq_off] = "no section was reported while the record was printed";
        return;
    }
    if (!clock_step || longest->section.duration <= *clock_step) {
        result.missing[Account::irq_off] = clock_step ? "the longest section is no more than its clock's step"
                                                      : "the target does not state the step of its clock";
        return;
    }
    result.irq_off_s = Figure{to_seconds(longest->section.duration), result.section_u_s.value()};
    result.sources[Account::irq_off] = source;
}

target::ClockFacts read_facts(const evidence::Bundle& bundle) {
    const std::string folder = "target/before/";
    target::ClockFacts facts;
    if (bundle.has(folder + "printk_test.txt"))
        facts = target::parse_printk_test(bundle.read(folder + "printk_test.txt")).clocks;
    if (!facts.tick_rate && bundle.has(folder + "kernel_config.txt"))
        facts.tick_rate = target::parse_tick_rate(bundle.read(folder + "kernel_config.txt"));
    if (!bundle.has(folder + "timer_list.txt")) return facts;
    const auto timer_list = bundle.read(folder + "timer_list.txt");
    if (!facts.tick_model) facts.tick_model = target::parse_tick_model(timer_list);
    const auto readings = target::parse_tick_readings(timer_list);
    if (!facts.tick_rate && readings.size() == 2)
        facts.tick_rate = target::tick_rate_between(readings.front(), readings.back());
    return facts;
}

}  // namespace rig::analysis
