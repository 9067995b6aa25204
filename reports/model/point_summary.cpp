// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/point_summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace rig::reports {
namespace {

/// Standard deviation of a normal distribution over its median absolute deviation.
constexpr double sigma_per_mad = 1.4826;

std::optional<Figure> typical_of(const std::vector<const TrialView*>& trials,
                                 std::optional<Figure> TrialView::* account) {
    std::vector<Figure> figures;
    for (const auto* trial : trials) {
        if (trial->*account) figures.push_back(*(trial->*account));
    }
    return typical(figures);
}

std::optional<PointSummary::Lost> lost_of(const std::vector<const TrialView*>& trials) {
    std::vector<double> lost;
    for (const auto* trial : trials) {
        if (trial->lost_ticks) lost.push_back(trial->lost_ticks->value);
    }
    if (lost.empty()) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(lost);
    return PointSummary::Lost{analysis::median_of(lost), least, most};
}

void widen_model(PointSummary& summary, const TrialView& trial) {
    if (!trial.model_lost_ticks) return;
    if (!summary.model) summary.model = trial.model_lost_ticks;
    summary.model->first = std::min(summary.model->first, trial.model_lost_ticks->first);
    summary.model->second = std::max(summary.model->second, trial.model_lost_ticks->second);
}

PointSummary summarise(const PointView& point) {
    PointSummary summary;
    summary.case_name = point.case_name;
    summary.point = point.point;
    summary.attempts = point.trials.size();
    std::vector<const TrialView*> certified;
    std::vector<double> frames;
    for (const auto* trial : point.trials) {
        if (!trial->certified) continue;
        certified.push_back(trial);
        if (trial->frames) frames.push_back(static_cast<double>(*trial->frames));
        widen_model(summary, *trial);
    }
    summary.certified = certified.size();
    if (!frames.empty()) summary.frames = analysis::median_of(frames);
    summary.wire_s = typical_of(certified, &TrialView::wire_s);
    summary.irq_off_s = typical_of(certified, &TrialView::irq_off_s);
    summary.interval_s = typical_of(certified, &TrialView::interval_s);
    summary.marker_s = typical_of(certified, &TrialView::marker_s);
    summary.lost_ticks = lost_of(certified);
    return summary;
}

}  // namespace

std::optional<Figure> typical(std::span<const Figure> figures) {
    if (figures.empty()) return std::nullopt;
    std::vector<double> values;
    std::vector<double> instrument;
    for (const auto& figure : figures) {
        values.push_back(figure.value);
        instrument.push_back(figure.u);
    }
    const double middle = analysis::median_of(values);
    for (auto& value : values) value = std::abs(value - middle);
    const double scatter = sigma_per_mad * analysis::median_of(values);
    return Figure{middle, analysis::combine(analysis::median_of(instrument), scatter)};
}

std::vector<PointSummary> summarise_points(const RunView& run) {
    std::vector<PointSummary> summaries;
    for (const auto& point : points_of(run)) summaries.push_back(summarise(point));
    return summaries;
}

std::vector<SiteSummary> summarise_sites(const RunView& run) {
    std::map<std::string, std::vector<double>> durations;
    for (const auto& trial : run.trials) {
        if (!trial.certified) continue;
        for (const auto& section : trial.sections) durations[section.site].push_back(section.duration_s);
    }
    std::vector<SiteSummary> sites;
    for (const auto& [site, all] : durations)
        sites.push_back({site, all.size(), analysis::median_of(all), std::ranges::max(all)});
    std::ranges::stable_sort(sites, std::greater{}, &SiteSummary::most_s);
    return sites;
}

}  // namespace rig::reports
