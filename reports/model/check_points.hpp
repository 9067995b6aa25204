// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/model/figure_text.hpp"
#include "reports/model/run_view.hpp"
#include "rig/plan/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace rig::reports {

/// One certified trial as a check saw it: its difference from what was expected, and the band that was allowed.
struct CheckPoint {
    std::uint64_t trial = 0;
    double difference = 0;
    double least = 0;  ///< of the allowed band
    double most = 0;
    [[nodiscard]] bool ok() const { return difference >= least && difference <= most; }
};

/// What a check compared, trial by trial, in the order of trials.
struct CheckPoints {
    std::string what;        ///< "irq_off − wire", "lost ticks − model"
    bool in_seconds = true;  ///< else in ticks
    std::vector<CheckPoint> points;
};

/// The points of a check of the plan that compares each trial with something. None for a check of another kind, or when
/// no certified trial has the figures.
std::optional<CheckPoints> points_of_check(const RunView& run, const plan::Check& check);

}  // namespace rig::reports
