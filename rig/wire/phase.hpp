// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"
#include "rig/wire/bit_time.hpp"
#include "rig/wire/edges.hpp"
#include "rig/wire/uart.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rig::wire {

/// Where a line leaves its bit grid. Samples lost in the capture show as this; so does a transmitter that slips.
struct PhaseJump {
    enum class Where : std::uint8_t {
        in_frame,      ///< an edge inside the frame is off the grid of the frame's own start edge
        before_frame,  ///< the frame begins before the one ahead of it can have ended
        in_record,     ///< its start edge is off the grid of its back-to-back run, by steps too small to see one by one
    };
    std::size_t frame = 0;  ///< index of the frame
    picoseconds jump{0};    ///< deviation from the grid; negative: too early, as after lost samples. In a frame: modulo
                            ///< half a bit
    Where where = Where::in_frame;
    bool operator==(const PhaseJump&) const = default;
};

/// Idle time between two frames of a record.
struct FrameGap {
    std::size_t after_frame = 0;  ///< index of the frame before the gap
    picoseconds length{0};
    bool operator==(const FrameGap&) const = default;
};

/// How well frames keep the bit grid.
struct PhaseReport {
    std::vector<PhaseJump> jumps;
    std::vector<FrameGap> gaps;
    double worst_edge_ps = 0;          ///< largest deviation of an edge from its own frame's grid, jumps left out
    double worst_start_ps = 0;         ///< largest deviation of a start edge from its back-to-back run, jumps left out
    picoseconds threshold{0};          ///< what a deviation inside one frame must exceed to be a jump
    std::size_t frames_unchecked = 0;  ///< breaks: they have no grid

    [[nodiscard]] bool whole() const { return jumps.empty(); }
};

/// Checks that frames of a trace keep their bit phase.
///
/// Inside a frame, every edge must lie within the threshold of a whole number of bits from the start edge. A frame may
/// begin any time after the one before it: a UART that idles gives a gap of any length, and a gap is reported, not
/// judged. It cannot begin earlier: that distance is a jump. What lost samples leave unseen: a loss between frames that
/// leaves a distance of a frame or more looks like idle time, and a loss that fits whole bits to within the threshold
/// changes bytes but no phase.
///
/// Threshold: one sample (the difference of two sampled edges is off by less than that), six times the scatter beyond
/// sampling (what may hide in the residuals included), the delay of edges to mark, and five times what the fit's
/// uncertainty adds over the distance.
PhaseReport check_phase(const Trace& trace, std::span<const Frame> frames, const UartFormat& format,
                        const BitTimeFit& fit);

}  // namespace rig::wire
