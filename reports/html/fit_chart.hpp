// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/run_view.hpp"

#include <string>
#include <vector>

namespace rig::reports {

/// The cases of which a line was fitted, each once, in the order of the fits.
std::vector<std::string> fitted_cases(const RunView& run);

/// Draws, for one case, irq_off and wire over the frames of the record with the line fitted to the first of them, and
/// the distances of both from that line under it. `number` tells the charts of a page apart.
void draw_fit_chart(Writer& page, const RunView& run, const std::string& case_name, std::uint64_t number);

}  // namespace rig::reports
