// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/scene.hpp"

#include "rig/error.hpp"
#include "rig/evidence/sr_file.hpp"
#include "rig/evidence/sr_file_traces.hpp"
#include "rig/wire/uart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::reports {
namespace {

/// Rates beyond these are no UART's: such a result is not drawn from.
constexpr double slowest_baud = 1;
constexpr double fastest_baud = 1e9;

/// More ticks than this in one section are no picture any more (a second of HZ=1000).
constexpr double most_ticks = 1000;

struct Traces {
    wire::Trace tx;
    std::optional<wire::Trace> marker;
};

Traces read_traces(const evidence::Bundle& bundle, const std::string& capture) {
    const auto file = evidence::SrFile::open(bundle.path_of(capture), Culprit::bench);
    std::vector channels{file.channel("tx")};
    const auto marker = std::ranges::find(file.channels(), "marker", &evidence::SrChannel::name);
    if (marker != file.channels().end()) channels.push_back(*marker);
    auto traces = evidence::read_traces(file, channels);
    Traces result{std::move(traces.front()), std::nullopt};
    if (traces.size() > 1) result.marker = std::move(traces.back());
    return result;
}

Line line_of(const wire::Trace& trace, double zero_s) {
    const auto seconds_at = [&](SampleIndex at) {
        return to_seconds(time_of(at, trace.rate).time_since_epoch()) - zero_s;
    };
    Line line;
    line.initially_high = trace.initial == wire::Level::high;
    line.begin_s = seconds_at({0});
    line.end_s = seconds_at({trace.samples});
    line.changes.reserve(trace.edges.size());
    for (const auto& edge : trace.edges) line.changes.push_back({seconds_at(edge.at), edge.level == wire::Level::high});
    return line;
}

/// The characters that begin within the record, to half a bit.
std::vector<Character> characters_of(const wire::Decoded& decoded, const SpanView& record, double bit_s) {
    std::vector<Character> characters;
    for (const auto& frame : decoded.frames) {
        const double begin = to_seconds(frame.start.time_since_epoch());
        if (begin < record.begin_s - bit_s / 2 || begin >= record.end_s - bit_s / 2) continue;
        characters.push_back({begin - record.begin_s, to_seconds(frame.end.time_since_epoch()) - record.begin_s,
                              static_cast<std::uint8_t>(frame.value & 0xFFU), frame.errors.any()});
    }
    return characters;
}

/// Lays the sections on the wire's time line: the longest begins at the shared mark, the others keep their distance
/// from it on the target's own clock.
void place_sections(Scene& scene) {
    const auto* longest = scene.trial->longest_section();
    if (longest == nullptr) return;
    scene.mark = scene.marker_pulse ? SharedMark::marker_pulse : SharedMark::first_start_bit;
    const double begin = scene.marker_pulse ? scene.marker_pulse->begin_s : 0;
    scene.sections.push_back({begin, begin + longest->duration_s, longest});
    for (const auto& section : scene.trial->sections) {
        if (&section == longest || !section.start_s || !longest->start_s) continue;
        const double at = begin + (*section.start_s - *longest->start_s);
        scene.sections.push_back({at, at + section.duration_s, &section});
    }
}

Scene make_scene(const TrialView& trial, const Traces& traces) {
    const SpanView record = *trial.record_on_wire;
    Scene scene;
    scene.trial = &trial;
    scene.bit_s = 1 / trial.baud_hz->value;
    scene.record_end_s = record.end_s - record.begin_s;
    scene.tx = line_of(traces.tx, record.begin_s);
    if (traces.marker) scene.marker = line_of(*traces.marker, record.begin_s);
    const picoseconds bit_time{std::llround(scene.bit_s * 1e12)};
    scene.characters = characters_of(wire::decode(traces.tx, bit_time, wire::UartFormat{}), record, scene.bit_s);
    if (trial.marker_on_wire)
        scene.marker_pulse =
            SpanView{trial.marker_on_wire->begin_s - record.begin_s, trial.marker_on_wire->end_s - record.begin_s};
    place_sections(scene);
    if (const auto* section = scene.main_section())
        scene.tick_marks = place_ticks(trial, section->begin_s, section->section->duration_s);
    return scene;
}

}  // namespace

std::vector<TickMark> place_ticks(const TrialView& trial, double begin_s, double duration_s) {
    std::vector<TickMark> marks;
    if (!trial.hz || *trial.hz == 0 || !trial.lost_ticks) return marks;
    const auto hz = static_cast<double>(*trial.hz);
    const double fewest = std::floor(duration_s * hz);
    const double lost = std::max(0.0, std::round(trial.lost_ticks->value));
    const double due = std::clamp(lost + 1, fewest, fewest + 1);
    if (due < 1 || due > most_ticks) return marks;
    const double first = begin_s + (duration_s - (due - 1) / hz) / 2;
    for (unsigned tick = 0; tick < due; ++tick) marks.push_back({first + tick / hz, TickFate::lost});
    if (lost >= due) return marks;
    // One interrupt is still pending when the section ends; where the kernel catches up, it counts all that were due.
    const auto counted = static_cast<std::size_t>(due - std::min(lost, due - 1));
    for (std::size_t i = marks.size() - counted; i < marks.size(); ++i) marks[i].fate = TickFate::counted_late;
    marks.back() = {begin_s + duration_s, TickFate::delivered_late};
    return marks;
}

std::expected<Scene, std::string> read_scene(const evidence::Bundle& bundle, const TrialView& trial) {
    if (trial.capture.empty()) return std::unexpected("the trial has no capture");
    if (!trial.record_on_wire || !trial.baud_hz) return std::unexpected("the record was not found on the wire");
    if (!(trial.baud_hz->value >= slowest_baud && trial.baud_hz->value <= fastest_baud))
        return std::unexpected(fmt::format("a UART of {:g} baud cannot be drawn", trial.baud_hz->value));
    if (!bundle.has(trial.capture))
        return std::unexpected(fmt::format("the bundle no longer holds the capture {}", trial.capture));
    try {
        auto scene = make_scene(trial, read_traces(bundle, trial.capture));
        if (scene.characters.empty())
            return std::unexpected("the capture holds no frame where the result has its record");
        return scene;
    } catch (const Error& error) {
        return std::unexpected(error.what());
    }
}

}  // namespace rig::reports
