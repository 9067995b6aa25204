// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/dot_plot.hpp"

#include "reports/html/scale.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::reports {
namespace {

constexpr double width = 540;
constexpr double height = 176;
constexpr double left = 58;
constexpr double right = width - 10;
constexpr double top = 12;
constexpr double bottom = 142;

struct Axes {
    Scale x;
    Scale y;
    Unit unit;
};

Axes axes_of(const CheckPoints& points) {
    double most = 0;
    for (const auto& point : points.points)
        most = std::max({most, std::abs(point.difference), std::abs(point.least), std::abs(point.most)});
    if (!(most > 0)) most = 1e-9;
    const auto count = static_cast<double>(points.points.size());
    return {
        {0, count, left, right}, {-most * 1.12, most * 1.12, bottom, top}, points.in_seconds ? unit_for(most) : ticks};
}

/// The allowed band as steps, trial by trial: it may depend on the trial's own reference.
void draw_band(Writer& page, const CheckPoints& points, const Axes& axes) {
    Path band;
    const auto& all = points.points;
    std::size_t i = 0;
    while (i < all.size()) {
        std::size_t end = i;
        // Neighbours whose bands cannot be told apart on the page are one step.
        const auto same = [&](double a, double b) { return std::abs(axes.y(a) - axes.y(b)) < 0.5; };
        while (end < all.size() && same(all[end].least, all[i].least) && same(all[end].most, all[i].most)) ++end;
        band.move_to(axes.x(static_cast<double>(i)), axes.y(all[i].most))
            .horizontal_to(axes.x(static_cast<double>(end)))
            .vertical_to(axes.y(all[i].least))
            .horizontal_to(axes.x(static_cast<double>(i)))
            .close();
        i = end;
    }
    page.empty("path", {{"class", "band"}, {"d", band.text()}});
}

void draw_y_axis(Writer& page, const Axes& axes) {
    Path grid;
    for (const auto& mark : axis_marks(axes.y.from, axes.y.to, 4, axes.unit)) {
        grid.move_to(left, axes.y(mark.value)).horizontal_to(right);
        page.leaf("text", {{"class", "axis last"}, {"x", left - 7}, {"y", axes.y(mark.value) + 4}}, mark.label);
    }
    page.empty("path", {{"class", "grid"}, {"d", grid.text()}});
    Path zero;
    zero.move_to(left, axes.y(0)).horizontal_to(right);
    page.empty("path", {{"class", "fitline"}, {"d", zero.text()}});
}

void draw_points(Writer& page, const CheckPoints& points, const Axes& axes) {
    Path inside;
    Path outside;
    for (std::size_t i = 0; i < points.points.size(); ++i) {
        const auto& point = points.points[i];
        const double x = axes.x(static_cast<double>(i) + 0.5);
        if (point.ok())
            inside.dot(x, axes.y(point.difference));
        else
            outside.cross(x, axes.y(point.difference), 4);
    }
    const bool many = points.points.size() > 250;
    if (!inside.empty()) page.empty("path", {{"class", many ? "dots ink small" : "dots ink"}, {"d", inside.text()}});
    if (!outside.empty()) page.empty("path", {{"class", "outside"}, {"d", outside.text()}});
}

}  // namespace

void draw_dot_plot(Writer& page, const CheckPoints& points, std::string_view check, std::uint64_t number) {
    const auto axes = axes_of(points);
    const auto outside = std::ranges::count_if(points.points, [](const CheckPoint& p) { return !p.ok(); });
    const Anchor title("dots-title-", number);
    const Anchor description("dots-text-", number);
    const auto svg = page.open("svg", {{"class", "dotplot"},
                                       {"viewBox", fmt::format("0 0 {} {}", width, height)},
                                       {"role", "img"},
                                       {"aria-labelledby", title.id() + " " + description.id()}});
    page.leaf("title", {{"id", title}}, fmt::format("{}: {} of each certified trial", check, points.what));
    page.leaf("desc", {{"id", description}},
              fmt::format("{} of {} trials lie outside the allowed band.", outside, points.points.size()));
    draw_band(page, points, axes);
    draw_y_axis(page, axes);
    draw_points(page, points, axes);
    page.leaf("text", {{"class", "row"}, {"x", 0}, {"y", top + 4}}, page_unit(axes.unit));
    page.leaf("text", {{"class", "axis"}, {"x", (left + right) / 2}, {"y", height - 10}},
              fmt::format("{}, trials {} to {} in order", points.what, points.points.front().trial,
                          points.points.back().trial));
}

}  // namespace rig::reports
