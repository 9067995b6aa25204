// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/trial_result.hpp"

#include "rig/analysis/certificate.hpp"
#include "rig/analysis/console_evidence.hpp"
#include "rig/analysis/target_figures.hpp"
#include "rig/analysis/wire_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;

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
    result.sources[Account::wire] = "logic analyzer, tx";
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
            marker->edges.empty() ? "the marker never moved: the target has none, or its probe is not connected"
                                  : "no marker pulse during the record";
        return;
    }
    result.marker_on_wire = pulse;
    result.sources[Account::marker] = "logic analyzer, marker";
    result.marker_s =
        wire_figure(to_seconds(pulse->end - pulse->begin), u_of_two_readings(sample_period(*marker)), clock_within);
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

TrialResult assess(const evidence::Bundle& bundle, const evidence::TrialRecord& trial, const plan::Plan& plan,
                   const lab::Station& station, const target::ClockFacts& facts) {
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
    measure_ticks(result, bundle, trial, console, facts);
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
