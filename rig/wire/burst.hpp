// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"
#include "rig/wire/bit_time.hpp"
#include "rig/wire/uart.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rig::wire {

/// Frames [first, first + count) of a sequence.
struct FrameRange {
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::size_t end() const { return first + count; }
    [[nodiscard]] std::span<const Frame> of(std::span<const Frame> frames) const {
        return frames.subspan(first, count);
    }
    bool operator==(const FrameRange&) const = default;
};

/// The gap that ends a burst when nothing else is said: five bits, more than a UART needs to refill its shift register.
constexpr unsigned default_burst_gap_bits = 5;

/// Groups frames into bursts: runs in which no idle time between two frames is longer than `longest_gap`.
std::vector<FrameRange> find_bursts(std::span<const Frame> frames, picoseconds longest_gap);

/// The first run of frames from `from` on whose values are the bytes of `text`; breaks never match.
std::optional<FrameRange> find_bytes(std::span<const Frame> frames, std::string_view text, std::size_t from = 0);

/// The values of frames as bytes (the low eight bits of each); breaks give none.
std::string bytes_of(std::span<const Frame> frames);

/// A time on the wire with its standard uncertainty; the analyzer clock's own error is not in it.
struct WireDuration {
    picoseconds value{0};
    double u_ps = 0;
};

/// From the edge of the first start bit to the end of the last stop bit by the fitted bit time. Frames must not be
/// empty (RigError).
WireDuration wire_duration(std::span<const Frame> frames, const UartFormat& format, const BitTimeFit& fit);

}  // namespace rig::wire
