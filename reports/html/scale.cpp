// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/scale.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace rig::reports {
namespace {

double round_step(double range, int count) {
    const double rough = range / std::max(count, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (rough <= factor * power) return factor * power;
    }
    return 10 * power;
}

}  // namespace

std::vector<AxisMark> axis_marks(double from, double to, int count, const Unit& unit) {
    std::vector<AxisMark> marks;
    const double low = std::min(from, to) * unit.factor;
    const double high = std::max(from, to) * unit.factor;
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high)) return marks;
    const double step = round_step(high - low, count);
    const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 9);
    const double first = std::ceil(low / step - 1e-9);
    for (double i = first; i * step <= high + step * 1e-9; ++i)
        marks.push_back({i * step / unit.factor, short_number(i * step, decimals)});
    return marks;
}

std::string page_unit(const Unit& unit) {
    return unit.name == "us" ? "µs" : std::string(unit.name);
}

std::string typeset(std::string_view text) {
    std::string out;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool after_number = i >= 2 && text[i - 1] == ' ' && is_word(text[i - 2]);
        const bool unit = text.substr(i, 2) == "us" && (i + 2 == text.size() || !is_word(text[i + 2]));
        if (after_number && unit) {
            out += "µs";
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace rig::reports
