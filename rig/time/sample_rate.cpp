// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/time/sample_rate.hpp"

#include "rig/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace rig {

namespace {

std::optional<double> factor_of(std::string unit) {
    std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (unit.ends_with("hz")) unit.resize(unit.size() - 2);
    if (unit.empty()) return 1.0;
    if (unit == "k") return 1e3;
    if (unit == "m") return 1e6;
    if (unit == "g") return 1e9;
    return std::nullopt;
}

}  // namespace

std::optional<SampleRate> parse_rate(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    const auto factor = factor_of(std::string(trimmed(text.substr(static_cast<std::size_t>(end - text.data())))));
    if (!factor) return std::nullopt;
    const double hz = value * *factor;
    if (!(hz >= 1) || hz > 1e12 || std::abs(hz - std::round(hz)) > 1e-6) return std::nullopt;
    return SampleRate{static_cast<std::uint64_t>(std::llround(hz))};
}

}  // namespace rig
