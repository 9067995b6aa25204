// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/figure_text.hpp"

#include <string>
#include <vector>

/// Axes of the page's drawings.
namespace rig::reports {

/// Maps values to coordinates of a drawing, linearly; `from` may be drawn below or right of `to`.
struct Scale {
    double from = 0;
    double to = 1;
    double from_at = 0;
    double to_at = 1;

    [[nodiscard]] double operator()(double value) const {
        return to == from ? (from_at + to_at) / 2 : from_at + (value - from) / (to - from) * (to_at - from_at);
    }
};

/// A mark of an axis.
struct AxisMark {
    double value = 0;
    std::string label;
};

/// Marks at round numbers (1, 2 or 5 times a power of ten in `unit`), about `count` of them, between two values.
std::vector<AxisMark> axis_marks(double from, double to, int count, const Unit& unit);

/// The unit's name as the page writes it: µs.
std::string page_unit(const Unit& unit);

/// A text of our analysis with its units as the page writes them: "86.8 us" becomes "86.8 µs".
std::string typeset(std::string_view text);

}  // namespace rig::reports
