// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/wire/edges.hpp"
#include "rig/wire/frame_reader.hpp"

#include <cstddef>

namespace rig::wire {

/// Finds the edge that begins the first frame of a capture which may itself begin inside a frame.
///
/// An edge after a whole frame's length of mark is certain. Before that, every falling edge is tried as the first
/// start bit, and the one that needs the fewest bits to tell the story wins: data bits before it that belong to the
/// cut-off frame, data bits of its own frames up to where the rivals meet, and a price for each idle gap, framing and
/// parity error. A wrong start is found out by the errors and by the odd gaps that it needs.
///
/// `initial` is the level of the capture's first sample. Returns edges().size() when nothing begins.
std::size_t find_first_start(const FrameReader& reader, Level initial);

}  // namespace rig::wire
