// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

/// The clocks of the rig. Each domain has a type of its own, so that a difference between two clocks does not compile;
/// a relation between them is a measurement (rig/analysis), never a cast.
namespace rig {

/// Integer picoseconds: 1 ps of step, 106 days of range in 64 bits.
using picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// The analyzer's clock; zero is the first sample of a capture.
struct wire_clock {
    using duration = picoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<wire_clock>;
    static constexpr bool is_steady = true;
};
using wire_time = wire_clock::time_point;

/// The lab host's clock (CLOCK_MONOTONIC, or the sim's virtual time); zero is the host's boot or the sim's start.
struct host_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<host_clock>;
    static constexpr bool is_steady = true;
};
using host_time = host_clock::time_point;

/// The target's sched_clock, in ns since its boot (kernel/sched/clock.c).
struct target_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<target_clock>;
    static constexpr bool is_steady = true;
};
using target_time = target_clock::time_point;

/// Any duration as seconds in floating point: for arithmetic with uncertainties and for output only.
template <class Rep, class Period>
constexpr double to_seconds(std::chrono::duration<Rep, Period> d) {
    return std::chrono::duration<double>(d).count();
}

}  // namespace rig
