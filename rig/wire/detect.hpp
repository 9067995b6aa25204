// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"
#include "rig/wire/edges.hpp"
#include "rig/wire/uart_format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace rig::wire {

/// How a line is sent, found from its edges alone, or why the capture cannot tell.
struct Detection {
    picoseconds bit_time{0};  ///< fitted to the frames looked at, where they allow a fit
    UartFormat format;
    /// How many bits shorter the line's story is told this way than the next best way; few where the line holds only
    /// one or two characters, however often.
    double advantage_bits = 0;
    std::string refusal;  ///< why the capture cannot tell, as a sentence; empty when it can

    [[nodiscard]] bool found() const { return refusal.empty(); }
};

/// "certain", "likely" or "a guess".
std::string_view sureness(const Detection& detection);

/// Finds bit time, format and polarity of a trace by the length of the story (minimum description length): a reading is
/// the better the fewer bits it needs to say which characters were sent, with which gaps and errors, and how far each
/// edge is from its place. A wrong bit time needs gaps and framing errors, a wrong format odd characters.
///
/// `known` is a format that the user is sure of; then only the bit time is looked for.
///
/// Refuses: no sample rate, no edges, under three samples a bit, and a line most of whose frames
/// would have no stop bit. It cannot tell: the bit order (first bit is the least significant), and stop bits when no
/// two frames follow each other back to back (one is said).
Detection detect(const Trace& trace, std::optional<UartFormat> known = std::nullopt);

}  // namespace rig::wire
