// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/model/run_view.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rig::reports {

/// The certified trials at one point of a case in one line.
struct PointSummary {
    std::string case_name;
    std::string point;
    std::size_t attempts = 0;
    std::size_t certified = 0;
    std::optional<double> frames;  ///< median
    std::optional<Figure> wire_s;
    std::optional<Figure> irq_off_s;
    std::optional<Figure> interval_s;
    std::optional<Figure> marker_s;

    struct Lost {
        double median = 0;
        double least = 0;
        double most = 0;
    };
    std::optional<Lost> lost_ticks;
    std::optional<std::pair<std::int64_t, std::int64_t>> model;  ///< least and most over the trials
};

/// One line for each point of the run.
std::vector<PointSummary> summarise_points(const RunView& run);

/// The median of figures. Its u is that of one trial: the instrument's (median) and the scatter of the trials (1.4826 ×
/// median absolute deviation, the standard deviation of a normal scatter that outliers do not move) together. None for
/// no figures.
std::optional<Figure> typical(std::span<const Figure> figures);

/// IRQ-off sections of the certified trials with one site.
struct SiteSummary {
    std::string site;
    std::size_t count = 0;
    double median_s = 0;
    double most_s = 0;
};
/// Sites by their longest section, the longest first.
std::vector<SiteSummary> summarise_sites(const RunView& run);

}  // namespace rig::reports
