// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/check_points.hpp"

#include <fmt/format.h>

namespace rig::reports {
namespace {

std::optional<CheckPoint> point_of(const TrialView& trial, const plan::AgreeCheck& check) {
    const auto figure = trial.figure_of(plan::name_of(check.figure));
    const auto reference = trial.figure_of(plan::name_of(check.reference));
    if (!figure || !reference) return std::nullopt;
    if (check.within.frames > 0 && !trial.baud_hz) return std::nullopt;
    constexpr double bits_of_a_frame = 10;
    const double allowed =
        check.within.allowed_s(reference->value, trial.baud_hz ? bits_of_a_frame / trial.baud_hz->value : 0);
    return CheckPoint{trial.trial, figure->value - reference->value, -allowed, allowed};
}

/// The model allows a whole number of ticks or one more: differences are taken from the middle of the two.
std::optional<CheckPoint> point_of(const TrialView& trial, const plan::LostTicksCheck& check) {
    if (!trial.lost_ticks || !trial.model_lost_ticks) return std::nullopt;
    const auto least = static_cast<double>(trial.model_lost_ticks->first);
    const auto most = static_cast<double>(trial.model_lost_ticks->second);
    const double half = (most - least) / 2 + static_cast<double>(check.within);
    return CheckPoint{trial.trial, trial.lost_ticks->value - (least + most) / 2, -half, half};
}

template <class Kind>
void collect(CheckPoints& points, const RunView& run, const std::string& of_case, const Kind& check) {
    for (const auto& trial : run.trials) {
        if (!trial.certified || (!of_case.empty() && trial.case_name != of_case)) continue;
        if (const auto point = point_of(trial, check)) points.points.push_back(*point);
    }
}

}  // namespace

std::optional<CheckPoints> points_of_check(const RunView& run, const plan::Check& check) {
    CheckPoints points;
    if (const auto* agree = std::get_if<plan::AgreeCheck>(&check.what)) {
        points.what = fmt::format("{} − {}", plan::name_of(agree->figure), plan::name_of(agree->reference));
        collect(points, run, check.of_case, *agree);
    } else if (const auto* model = std::get_if<plan::LostTicksCheck>(&check.what)) {
        points.what = "lost ticks − model";
        points.in_seconds = false;
        collect(points, run, check.of_case, *model);
    }
    if (points.points.empty()) return std::nullopt;
    return points;
}

}  // namespace rig::reports
