// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>

namespace rig::sim {

/// What time it really is in the sim, in ps since its start. Every other clock of the sim is this one, off by a known
/// rate; the host's clock is this one to the nanosecond.
struct true_clock {
    using duration = picoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<true_clock>;
    static constexpr bool is_steady = true;
};
using true_time = true_clock::time_point;

constexpr true_time true_of(host_time t) {
    return true_time{std::chrono::duration_cast<picoseconds>(t.time_since_epoch())};
}

/// The host's first nanosecond at or after `t`.
constexpr host_time host_at(true_time t) {
    return host_time{std::chrono::ceil<std::chrono::nanoseconds>(t.time_since_epoch())};
}

/// How much faster than true time an oscillator runs, in parts per 10⁹: an integer, so that conversions are exact and
/// the same on every machine.
struct RateError {
    std::int64_t ppb = 0;

    static RateError of_ppm(double ppm) { return {std::llround(ppm * 1000)}; }
};

__extension__ using wide_int = __int128;

/// What the oscillator's clock shows for a true span, rounded down.
constexpr picoseconds shown(picoseconds span, RateError error) {
    return picoseconds{
        static_cast<std::int64_t>(static_cast<wide_int>(span.count()) * (1'000'000'000 + error.ppb) / 1'000'000'000)};
}

/// The true span after which the oscillator's clock shows `span`, rounded up.
constexpr picoseconds true_span(picoseconds span, RateError error) {
    const wide_int rate = 1'000'000'000 + error.ppb;
    return picoseconds{
        static_cast<std::int64_t>((static_cast<wide_int>(span.count()) * 1'000'000'000 + rate - 1) / rate)};
}

}  // namespace rig::sim
