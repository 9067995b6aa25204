// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"

#include <compare>
#include <cstdint>

namespace rig {

/// A position in a capture, in samples from its first one.
struct SampleIndex {
    std::uint64_t value = 0;
    auto operator<=>(const SampleIndex&) const = default;
};

/// Samples per second of an analyzer.
struct SampleRate {
    std::uint64_t hz = 0;
    auto operator<=>(const SampleRate&) const = default;
};

/// Symbols per second of a UART.
struct Baud {
    std::uint32_t value = 0;
    auto operator<=>(const Baud&) const = default;
};

/// Timer ticks (jiffies) as a difference.
struct Ticks {
    std::int64_t count = 0;
    auto operator<=>(const Ticks&) const = default;
};

/// The kernel's tick rate, CONFIG_HZ.
struct TickRate {
    std::uint32_t hz = 0;
    auto operator<=>(const TickRate&) const = default;
};

/// When sample `at` was taken, on the analyzer's own clock, rounded down to a picosecond; exact for any length of
/// capture (128-bit arithmetic, no accumulated rounding).
constexpr wire_time time_of(SampleIndex at, SampleRate rate) {
    __extension__ using wide = unsigned __int128;
    const wide ps = static_cast<wide>(at.value) * 1'000'000'000'000ULL / rate.hz;
    return wire_time{picoseconds{static_cast<std::int64_t>(ps)}};
}

/// time_of for many samples of one capture: a multiplication where a sample period is whole picoseconds.
class SampleTimes {
public:
    explicit constexpr SampleTimes(SampleRate rate)
        : rate_(rate),
          period_(rate.hz != 0 && 1'000'000'000'000ULL % rate.hz == 0 ? 1'000'000'000'000ULL / rate.hz : 0) {}

    /// As time_of(at, rate).
    [[nodiscard]] constexpr wire_time of(SampleIndex at) const {
        return period_ != 0 ? wire_time{picoseconds{static_cast<std::int64_t>(at.value * period_)}}
                            : time_of(at, rate_);
    }

private:
    SampleRate rate_;
    std::uint64_t period_;  // in picoseconds; 0 when it is no whole number of them
};

}  // namespace rig
