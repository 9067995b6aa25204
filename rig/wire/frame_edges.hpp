// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/wire/edges.hpp"
#include "rig/wire/uart.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace rig::wire {

/// An edge inside a frame: the bit boundary it stands for, and where it was seen, both from the frame's start edge.
struct GridEdge {
    std::uint32_t bits = 0;
    std::uint64_t samples = 0;
    bool to_mark = false;
};

/// The edges of one frame, without the start edge.
class FrameEdges {
public:
    void add(GridEdge edge) { edges_[count_++] = edge; }
    [[nodiscard]] std::span<const GridEdge> all() const { return std::span(edges_).first(count_); }

private:
    std::array<GridEdge, 12> edges_{};
    std::size_t count_ = 0;
};

/// Pairs the edges seen in a frame with the bit boundaries at which its value changes level. Nothing when the counts
/// differ, when the frame holds glitches, or when it is a break or has no mark for a stop bit: then the edges cannot be
/// trusted to stand for boundaries. `line` are the edges of the frame's channel as captured.
std::optional<FrameEdges> pair_edges(std::span<const Edge> line, const Frame& frame, const UartFormat& format);

}  // namespace rig::wire
