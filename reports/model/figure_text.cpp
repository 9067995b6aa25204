// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/figure_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace rig::reports {

FigureText figure_halves(const Figure& figure, const Unit& unit, int most_decimals) {
    const double value = figure.value * unit.factor;
    const double expanded = 2 * figure.u * unit.factor;
    if (!std::isfinite(value)) return {"not a number", ""};
    if (!(expanded > 0) || !std::isfinite(expanded)) return {fmt::format("{:.{}g}", value, 4), ""};
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(expanded))), 0, most_decimals);
    const double least = std::pow(10.0, -decimals);
    return {fmt::format("{:.{}f}", value, decimals), fmt::format("{:.{}f}", std::max(expanded, least), decimals)};
}

std::string figure_text(const Figure& figure, const Unit& unit) {
    const auto halves = figure_halves(figure, unit);
    if (halves.expanded.empty()) return fmt::format("{} {}", halves.value, unit.name);
    return fmt::format("{} ± {} {}", halves.value, halves.expanded, unit.name);
}

Unit unit_for(double largest) {
    const double size = std::abs(largest);
    if (size >= 1) return seconds;
    if (size >= 1e-3) return milliseconds;
    if (size >= 1e-6) return microseconds;
    return {1e9, "ns"};
}

std::string duration_text(const Figure& duration) {
    return analysis::show(duration);
}

std::string count_text(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), " ");
    return digits;
}

std::string short_number(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') != std::string::npos) {
        while (text.ends_with('0')) text.pop_back();
        if (text.ends_with('.')) text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

}  // namespace rig::reports
