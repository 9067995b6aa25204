// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/trial_result.hpp"

#include "rig/analysis/certificate.hpp"
#include "rig/analysis/wire_evidence.hpp"
#include "rig/console/kernel_log.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;

/// The printk time of a record has microseconds: its sections may begin up to this much before the rounded time.
constexpr std::chrono::nanoseconds printk_time_step = std::chrono::microseconds{1};

/// The bench reads CLOCK_MONOTONIC, which counts in nanoseconds.
constexpr double bench_clock_step_s = 1e-9;

/// A duration on the analyzer's clock: what the edges leave uncertain, and the clock's own stated limit.
Figure wire_figure(double seconds, double u_s, double clock_within) {
    return {seconds, combine(u_s, seconds * clock_within / std::numbers::sqrt3)};
}

double sample_period(const wire::Trace& trace) {
    return 1.0 / static_cast<double>(trace.rate.hz);
}

void measure_wire(TrialResult& result, WireEvidence& wire, double clock_within) {
    if (!wire.record) {
        result.missing[Account::wire] = wire.unreadable.empty() ? "no record on the wire" : wire.unreadable;
        return;
    }
    const auto frames = wire.record->of(wire.decoded.frames);
    result.frames = frames.size();
    result.record_on_wire = Span{frames.front().start, frames.back().end};
    const auto fit = wire::fit_bit_time(*wire.tx, frames, wire.decoded.format);
    if (!fit) {
        result.missing[Account::wire] = "no frame of the record is clean enough to fit its bit time";
        return;
    }
    const auto duration = wire::wire_duration(frames, wire.decoded.format, *fit);
    result.baud_hz = Figure{fit->baud, combine(fit->u_baud, fit->baud * clock_within / std::numbers::sqrt3)};
    result.wire_s = wire_figure(to_seconds(duration.value), duration.u_ps * 1e-12, clock_within);
    result.record_on_wire->end = frames.front().start + duration.value;
    wire.phase = wire::check_phase(*wire.tx, frames, wire.decoded.format, *fit);
}

void measure_marker(TrialResult& result, const std::optional<wire::Trace>& marker, double clock_within) {
    if (!marker) {
        result.missing[Account::marker] = "no marker channel on this station";
        return;
    }
    if (!result.record_on_wire) {
        result.missing[Account::marker] = "no record on the wire that a pulse could belong to";
        return;
    }
    const auto pulse = find_marker_pulse(*marker, *result.record_on_wire);
    if (!pulse) {
        result.missing[Account::marker] =
            marker->edges.empty() ? "the marker never moved: it was not armed, or its probe is not connected"
                                  : "no marker pulse during the record";
        return;
    }
    result.marker_on_wire = pulse;
    result.marker_s =
        wire_figure(to_seconds(pulse->end - pulse->begin), u_of_two_readings(sample_period(*marker)), clock_within);
}

/// What the console says of the trial: its record, the interval around it, and when the next record was stored.
struct ConsoleEvidence {
    std::string record_bytes;
    std::optional<console::Record> record;
    std::optional<console::IntervalRecord> interval;
    std::optional<console::Record> next;  ///< the short record printed behind it
};

ConsoleEvidence read_console(const evidence::Bundle& bundle, const evidence::TrialRecord& trial) {
    const std::string bytes = bundle.console(trial.console_from, trial.console_to);
    ConsoleEvidence evidence;
    evidence.record = console::find_record(bytes, "test " + trial.nonce + " ");
    if (!evidence.record) return evidence;
    evidence.record_bytes = bytes.substr(evidence.record->begin, evidence.record->end - evidence.record->begin);
    evidence.next = console::find_record(bytes, "short " + trial.nonce + " ", evidence.record->end);
    evidence.interval =
        console::find_interval(bytes, evidence.record->end, evidence.next ? evidence.next->begin : std::string::npos);
    return evidence;
}

/// Where nobody measured around the printk, the time from its record to the next, with the target's way from one write
/// to the other in it.
void measure_interval_by_records(TrialResult& result, const console::Record& record, const console::Record& next) {
    result.missing[Account::jiffies] = "no interval=… line: records alone do not tell jiffies";
    if (!record.time || !next.time) {
        result.missing[Account::interval] = "the records bear no printk time";
        return;
    }
    const double interval = to_seconds(*next.time - *record.time);
    const double step = to_seconds(printk_time_step);
    if (interval <= step) {
        result.missing[Account::interval] = "the next record was stored at the same time";
        return;
    }
    result.interval_s = Figure{interval, u_of_two_readings(step)};
}

void measure_interval(TrialResult& result, const ConsoleEvidence& console, const target::PrintkTestFacts& facts) {
    if (!console.interval && console.record && console.next)
        return measure_interval_by_records(result, *console.record, *console.next);
    if (!console.interval) {
        const std::string why = console.record ? "no interval=… line behind the record" : "no record on the console";
        result.missing[Account::interval] = why;
        result.missing[Account::jiffies] = why;
        return;
    }
    result.jiffies = console.interval->jiffies;
    const double interval = to_seconds(console.interval->interval);
    if (!facts.clock_step) {
        result.missing[Account::interval] = "the target does not state the step of its clock";
        return;
    }
    const double step = to_seconds(*facts.clock_step);
    if (interval <= step) {
        result.missing[Account::interval] = fmt::format("the interval of {} is no more than its clock's step of {}",
                                                        show_duration(interval), show_duration(step));
        return;
    }
    result.interval_s = Figure{interval, u_of_two_readings(step)};
}

void count_ticks(TrialResult& result, const target::PrintkTestFacts& facts) {
    if (!result.jiffies) return;
    if (!facts.tick_rate) {
        result.missing[Account::jiffies] = "the target does not state its HZ";
        return;
    }
    result.hz = facts.tick_rate;
    if (!result.interval_s) return;
    const double hz = facts.tick_rate->hz;
    const double expected = result.interval_s->value * hz;
    // The phase of the tick at both ends of the interval is unknown: a triangle of ±1 tick.
    const double u_phase = 1 / std::sqrt(6.0);
    result.expected_ticks = Figure{expected, result.interval_s->u * hz};
    result.lost_ticks =
        Figure{expected - static_cast<double>(result.jiffies->count), combine(result.interval_s->u * hz, u_phase)};
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
    if (overwritten > 0 && (list.events.empty() || list.events.front().start > begin)) {
        result.missing[Account::irq_off] =
            fmt::format("the target has overwritten {} sections, back into the record's time", overwritten);
        return;
    }
    for (const auto& event : list.events) {
        const auto stop = event.start + event.section.duration;
        if (stop > begin && stop <= end) result.sections.push_back(event);
    }
}

void measure_irq_off(TrialResult& result, const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                     const ConsoleEvidence& console, const target::PrintkTestFacts& facts) {
    const auto events = trial.target_files.find("irq_latency_events");
    const auto worst = trial.target_files.find("irq_latency");
    if (events == trial.target_files.end() || worst == trial.target_files.end()) {
        result.missing[Account::irq_off] = "/proc/irq_latency cannot be read on this target";
        return;
    }
    auto clock_step = facts.clock_step;
    try {
        target::parse_worst_list(bundle.read(worst->second));
        const auto list = target::parse_events(bundle.read(events->second));
        if (const auto step_ns = list.number("clock_step_ns"); step_ns && !clock_step)
            clock_step = std::chrono::nanoseconds{*step_ns};
        if (clock_step) result.section_u_s = u_of_two_readings(to_seconds(*clock_step));
        place_sections(result, list, console);
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
}

void decide_certificate(TrialResult& result, const evidence::TrialRecord& trial) {
    const auto bad = std::find_if(result.certificate.begin(), result.certificate.end(),
                                  [](const CertificateLine& line) { return line.ok == false; });
    result.certified = bad == result.certificate.end() && !trial.failure;
    if (bad != result.certificate.end())
        result.why = fmt::format("{}: {}", bad->line, bad->figure);
    else if (trial.failure)
        result.why = trial.failure->what;
}

}  // namespace

target::PrintkTestFacts read_facts(const evidence::Bundle& bundle) {
    if (!bundle.has("target/before/printk_test.txt")) return {};
    return target::parse_printk_test(bundle.read("target/before/printk_test.txt"));
}

TrialResult assess(const evidence::Bundle& bundle, const evidence::TrialRecord& trial, const plan::Plan& plan,
                   const lab::Station& station, const target::PrintkTestFacts& facts) {
    TrialResult result;
    result.trial = trial.trial;
    result.case_name = trial.case_name;
    result.parameters = trial.parameters;
    result.attempt = trial.attempt;
    if (trial.capture) result.capture = trial.capture->file;

    std::optional<wire::Trace> marker;
    WireEvidence wire = read_wire(bundle, trial, station.console.baud, marker);
    const ConsoleEvidence console = read_console(bundle, trial);
    if (console.record) result.record_time = console.record->time;

    measure_wire(result, wire, station.analyzer.clock_within);
    measure_marker(result, marker, station.analyzer.clock_within);
    measure_interval(result, console, facts);
    count_ticks(result, facts);
    measure_irq_off(result, bundle, trial, console, facts);
    if (result.hz && facts.tick_model && result.irq_off_s)
        result.model_lost_ticks = predict_lost_ticks(result.sections, *result.hz, *facts.tick_model);
    if (const auto seen = read_observation(bundle, trial))
        result.slip_s = Figure{longest_delay(seen->slips, wire), u_of_two_readings(bench_clock_step_s)};

    result.certificate = certify(bundle, trial, wire, console.record_bytes, plan.certificate);
    decide_certificate(result, trial);
    return result;
}

}  // namespace rig::analysis
