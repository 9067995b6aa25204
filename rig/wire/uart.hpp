// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"
#include "rig/wire/edges.hpp"
#include "rig/wire/glitch.hpp"
#include "rig/wire/uart_format.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace rig::wire {

/// What is wrong with a frame.
struct FrameErrors {
    bool framing = false;  ///< the first stop bit is no mark
    bool parity = false;   ///< the parity bit is not what the format asks for
    bool line_break =
        false;  ///< the line stayed at space for the whole frame or longer; neither framing nor parity then

    [[nodiscard]] bool any() const { return framing || parity || line_break; }
    bool operator==(const FrameErrors&) const = default;
};

/// One character on the wire. Times are the analyzer's.
struct Frame {
    wire_time start;          ///< edge of the start bit, as sampled
    wire_time end;            ///< end of the last stop bit by the bit time used; of a break: when the line came back
    SampleIndex first;        ///< first sample of the start bit
    SampleIndex last;         ///< last sample of the frame (of the capture, if that ends inside the stop bit)
    std::uint16_t value = 0;  ///< the data bits; 0 for a break
    FrameErrors errors;
    unsigned glitches = 0;  ///< pulses too short to be a symbol, within the frame
    bool operator==(const Frame&) const = default;
};

/// What a trace holds at one bit time and format.
struct Decoded {
    SampleRate rate;
    picoseconds bit_time{0};
    UartFormat format;
    std::vector<Frame> frames;
    std::vector<Glitch> glitches;        ///< all of the line's, those in its idle time too
    std::optional<SampleIndex> cut_off;  ///< start of a frame that the end of the capture cuts off
    std::uint64_t skipped_until =
        0;  ///< samples at the capture's start not used: the rest of a frame, an unpowered line
};

/// The bit time of a rate, rounded to the picosecond.
constexpr picoseconds bit_time_of(Baud baud) {
    return picoseconds{(1'000'000'000'000 + static_cast<std::int64_t>(baud.value) / 2) / baud.value};
}

/// Decodes a whole trace at a known bit time.
///
/// Each bit is the level that holds for more than half of its middle half, all positions counted from the frame's own
/// start edge in exact arithmetic; glitches are taken out before and counted (see remove_glitches). The next start
/// edge is looked for from the middle of the first stop bit on. A start edge whose start bit does not stay at space is
/// passed over.
///
/// The capture may begin inside a frame: the first start edge is one after an idle time of a whole frame, or the one
/// that explains the beginning best (see first_start.hpp). A line that is at space from the first sample on for a
/// whole frame or longer is not powered yet, or in a break: no frame.
///
/// Throws PlanError when the capture has no sample rate, or under two samples per bit.
Decoded decode(const Trace& trace, picoseconds bit_time, const UartFormat& format);
Decoded decode(const Trace& trace, Baud baud, const UartFormat& format);

}  // namespace rig::wire
