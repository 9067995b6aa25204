// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/frame_edges.hpp"

#include <algorithm>

namespace rig::wire {

namespace {

/// The symbols of a frame in order of time as a bit set: bit 0 the start bit, 1 for mark.
std::uint32_t symbols_of(const Frame& frame, const UartFormat& format) {
    std::uint32_t symbols = 0;
    for (unsigned bit = 0; bit < format.data_bits; ++bit) {
        const unsigned place = format.bit_order == BitOrder::lsb_first ? bit : format.data_bits - 1 - bit;
        symbols |= (static_cast<std::uint32_t>(frame.value) >> place & 1U) << (1 + bit);
    }
    if (format.parity != Parity::none && parity_bit_of(format, frame.value) != frame.errors.parity)
        symbols |= 1U << (1 + format.data_bits);
    return symbols | 1U << stop_bit_index(format);
}

}  // namespace

std::optional<FrameEdges> pair_edges(std::span<const Edge> line, const Frame& frame, const UartFormat& format) {
    if (frame.glitches != 0 || frame.errors.framing || frame.errors.line_break) return std::nullopt;
    auto edge = std::ranges::lower_bound(line, frame.first, {}, &Edge::at);
    if (edge == line.end() || edge->at != frame.first) return std::nullopt;
    ++edge;
    const std::uint32_t symbols = symbols_of(frame, format);
    FrameEdges found;
    for (unsigned bit = 1; bit <= stop_bit_index(format); ++bit) {
        const bool mark = (symbols >> bit & 1U) != 0;
        if (mark == ((symbols >> (bit - 1) & 1U) != 0)) continue;
        if (edge == line.end() || edge->at > frame.last) return std::nullopt;
        found.add({bit, edge->at.value - frame.first.value, mark});
        ++edge;
    }
    // An edge too many would lie before the stop bit's end; the next start edge may lie a little before it.
    const auto length = static_cast<double>(frame.last.value - frame.first.value);
    const double half_stop = length * (stop_bit_index(format) + 0.5) / frame_bits(format);
    if (edge != line.end() && static_cast<double>(edge->at.value - frame.first.value) < half_stop) return std::nullopt;
    return found;
}

}  // namespace rig::wire
