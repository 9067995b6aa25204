// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/model/run_view.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/wire/edges.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

/// One trial on one time line: what the wire, the marker and the target's account say of it.
namespace rig::reports {

/// A line of the capture. Times are seconds from the record's first start bit, which may be negative.
struct Line {
    struct Change {
        double at_s = 0;
        bool high = false;
    };
    bool initially_high = true;
    double begin_s = 0;  ///< of the capture
    double end_s = 0;
    std::vector<Change> changes;
};

/// One character of the record on the wire.
struct Character {
    double begin_s = 0;
    double end_s = 0;
    std::uint8_t value = 0;
    bool broken = false;  ///< a framing or parity error, or a break
};

struct PlacedSection {
    double begin_s = 0;
    double end_s = 0;
    const SectionView* section = nullptr;  ///< of the trial's view, never null
};

/// By which event the target's clock was laid on the wire's time line.
enum class SharedMark { marker_pulse, first_start_bit };

enum class TickFate { lost, delivered_late, counted_late };

/// A tick that was due while interrupts were off. The tick's phase is not measured: ticks are drawn in the middle of
/// the section, at the tick's own spacing.
struct TickMark {
    double at_s = 0;
    TickFate fate = TickFate::lost;
};

struct Scene {
    const TrialView* trial = nullptr;  ///< never null; must outlive the scene
    Line tx;
    std::optional<Line> marker;
    double record_end_s = 0;  ///< end of the last stop bit
    double bit_s = 0;         ///< the trial's fitted bit time
    std::vector<Character> characters;
    std::vector<PlacedSection> sections;  ///< the longest one first
    SharedMark mark = SharedMark::first_start_bit;
    std::optional<SpanView> marker_pulse;  ///< seconds from the first start bit
    std::vector<TickMark> tick_marks;

    /// The section that the picture is about: the longest; null when the target reported none.
    [[nodiscard]] const PlacedSection* main_section() const { return sections.empty() ? nullptr : &sections.front(); }
};

/// Reads a trial's capture and lays everything on its time line. When there is no capture, it cannot be read, or the
/// record was not found in it, the reason, as a sentence.
std::expected<Scene, std::string> read_scene(const evidence::Bundle& bundle, const TrialView& trial);

/// The ticks due in a section of `duration_s` that begins at `begin_s`, with what became of each: as many are lost as
/// the target's counters say, and of the others one is delivered when the section ends. None where HZ or the count of
/// lost ticks is unknown.
std::vector<TickMark> place_ticks(const TrialView& trial, double begin_s, double duration_s);

}  // namespace rig::reports
