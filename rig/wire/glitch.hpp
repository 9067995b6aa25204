// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"
#include "rig/wire/edges.hpp"

#include <cstdint>
#include <vector>

namespace rig::wire {

/// A pulse too short to be a symbol.
struct Glitch {
    SampleIndex at;
    std::uint64_t samples = 0;
    bool operator==(const Glitch&) const = default;
};

/// The edges of a line with its glitches taken out, and the glitches.
struct CleanLine {
    std::vector<Edge> edges;
    std::vector<Glitch> glitches;
};

/// Whether no pulse of the line is shorter than 3/8 of a bit: then remove_glitches would change nothing.
bool is_clean(const Trace& trace, picoseconds bit_time);

/// Takes pulses shorter than 3/8 of a bit out of a line and reports each of them.
///
/// Why 3/8: sampling moves each edge by less than one sample, so at 4 samples per bit a one-sample spike (1/4 bit) is
/// below the limit and a one-bit pulse that lost a sample (3/4 bit) well above it; and a UART that samples in mid-bit
/// cannot read a symbol that lost more than half of its width, so nothing readable is taken away.
///
/// Short pulses that follow each other (ringing, bounce) are judged together, by time: a group between equal levels
/// goes away when its foreign level lasts less than the limit in all; a group between different levels becomes one edge
/// that keeps the time spent at each level. A group in which both levels last longer is left as it is: the line carries
/// something, though not at this bit time, and the decoder's vote must say what.
CleanLine remove_glitches(const Trace& trace, picoseconds bit_time);

}  // namespace rig::wire
