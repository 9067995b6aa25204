// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/check_points.hpp"

#include <string_view>

namespace rig::reports {

/// Draws each certified trial's difference as a dot, in the order of trials, on the band that was allowed; one outside
/// it is a cross. `number` tells the plots of a page apart.
void draw_dot_plot(Writer& page, const CheckPoints& points, std::string_view check, std::uint64_t number);

}  // namespace rig::reports
