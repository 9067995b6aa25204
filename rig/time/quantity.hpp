// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

/// Values as people write them: a number with its unit. A bare number where a unit is due is refused.
/// Every function gives the value, or a sentence saying what was expected, with an example that would be accepted.
namespace rig {

/// "60 s", "500 us", "1.5 ms", "800 ns", "2 min".
std::expected<std::chrono::nanoseconds, std::string> parse_duration(std::string_view text);

/// "4 MHz", "100 kHz", "1000 Hz": whole hertz only.
std::expected<std::uint64_t, std::string> parse_frequency(std::string_view text);

/// "3 %" or "50 ppm" as a ratio (0.03, 0.00005).
std::expected<double, std::string> parse_ratio(std::string_view text);

/// How far two figures may be apart: a share of the reference plus a fixed part.
struct Tolerance {
    double relative = 0;                   ///< share of the reference figure
    std::chrono::nanoseconds absolute{0};  ///< added to it
    double frames = 0;                     ///< and as many frame times of the wire

    /// The allowed distance, in seconds, from a reference of `reference_s` seconds on a wire of this frame time.
    [[nodiscard]] double allowed_s(double reference_s, double frame_s) const;
};

/// "3 % + 500 us", "300 us", "2 %", "3 % + 500 us + 2 frames".
std::expected<Tolerance, std::string> parse_tolerance(std::string_view text);

/// "500 us" style text with three significant digits, for people.
std::string show_duration(double seconds);

}  // namespace rig
