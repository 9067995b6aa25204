// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace vbench {

using std::chrono::nanoseconds;

/// A moment on CLOCK_MONOTONIC (libstdc++'s steady_clock is that clock), in whole nanoseconds.
using Instant = std::chrono::steady_clock::time_point;

/// Time on the wire. Bit edges fall between nanoseconds (8680.55… ns at 115200 baud), so they are kept in picoseconds.
/// As a time stamp it counts from the start of the bench, which gives it a range of 106 days.
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// The present moment.
inline Instant now() {
    return std::chrono::steady_clock::now();
}

/// Lengths of 8N1 frames and their bits at one baud rate. Each length is rounded once from the exact quotient, never
/// summed from rounded parts, so that a burst of any length keeps its pace.
class UartTiming {
public:
    static constexpr int bits_per_frame = 10;

    /// `baud` is bits per second and not zero.
    explicit UartTiming(std::uint32_t baud);

    [[nodiscard]] std::uint32_t baud() const { return baud_; }

    /// How long `count` frames sent back to back take, to the nearest nanosecond.
    [[nodiscard]] nanoseconds frames(std::int64_t count) const;

    /// How far bit boundary `count` lies behind the start of a frame, to the nearest picosecond.
    [[nodiscard]] Picoseconds bits(int count) const;

private:
    std::uint32_t baud_;
};

/// Tells sample numbers from times for a clock that takes `rate` samples per second, sample 0 at time 0. Exact at any
/// distance: the products are formed in 128 bits.
class SampleClock {
public:
    /// `rate` is samples per second and not zero.
    explicit SampleClock(std::uint64_t rate);

    [[nodiscard]] std::uint64_t rate() const { return rate_; }

    /// The first sample taken at `since_start` or later: the one that shows an edge made at that moment.
    [[nodiscard]] std::uint64_t first_at_or_after(Picoseconds since_start) const;

    /// How many samples have been taken up to and including `since_start`.
    [[nodiscard]] std::uint64_t taken_by(Picoseconds since_start) const;

    /// When sample `number` is taken, rounded down to the picosecond.
    [[nodiscard]] Picoseconds time_of(std::uint64_t number) const;

private:
    std::uint64_t rate_;
};

}  // namespace vbench
