// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/figures.hpp"

#include <string>
#include <string_view>

/// Measured figures as text, for the page and the terminal alike: value ± U with U = 2u (95 %), two digits of U, and
/// the value to the same place.
namespace rig::reports {

using analysis::Figure;

/// A unit that a column or an axis is written in: `value` in base units × `factor`.
struct Unit {
    double factor = 1;
    std::string_view name;
};

inline constexpr Unit seconds{1, "s"};
inline constexpr Unit milliseconds{1e3, "ms"};
inline constexpr Unit microseconds{1e6, "us"};
inline constexpr Unit ticks{1, "ticks"};

/// A figure's two halves, without the unit's name: "23.843" and "0.012"; no second half where no uncertainty is known.
struct FigureText {
    std::string value;
    std::string expanded;
};

/// The halves in a given unit. `most_decimals` bounds the digits where a column is narrow; the value is then rounded to
/// that place, and an uncertainty below it is shown as one unit of it.
FigureText figure_halves(const Figure& figure, const Unit& unit, int most_decimals = 9);

/// "23.843 ± 0.012 ms", in the unit given.
std::string figure_text(const Figure& figure, const Unit& unit);

/// A duration, given in seconds, in the unit that suits its size.
std::string duration_text(const Figure& duration);

/// The unit in which durations up to `largest` seconds are written on an axis.
Unit unit_for(double largest);

/// "115 200": digits in groups of three, as people read counts.
std::string count_text(std::uint64_t count);

/// A number without trailing zeros, at most `decimals` of them.
std::string short_number(double value, int decimals);

}  // namespace rig::reports
