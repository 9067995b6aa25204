// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/fit_chart.hpp"

#include "reports/html/scale.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::reports {
namespace {

constexpr double width = 1120;
constexpr double height = 420;
constexpr double left = 76;
constexpr double right = width - 24;
constexpr double upper_top = 24;
constexpr double upper_bottom = 262;
constexpr double lower_top = 292;
constexpr double lower_bottom = 378;

struct Point {
    double frames;
    double seconds;
};

/// The points of one account in the certified trials of a case.
std::vector<Point> points_of_account(const RunView& run, const std::string& case_name, std::string_view account) {
    std::vector<Point> points;
    for (const auto& trial : run.trials) {
        const auto figure = trial.figure_of(account);
        if (!trial.certified || trial.case_name != case_name || !figure || !trial.frames) continue;
        points.push_back({static_cast<double>(*trial.frames), figure->value});
    }
    return points;
}

const FitView* fit_to_draw(const RunView& run, const std::string& case_name) {
    for (const std::string_view account : {"irq_off", "wire", "interval", "marker"}) {
        for (const auto& fit : run.fits) {
            if (fit.case_name == case_name && fit.of == account) return &fit;
        }
    }
    return nullptr;
}

struct Chart {
    Writer& page;
    const FitView& fit;
    std::vector<Point> fitted;  ///< of the fitted account
    std::vector<Point> beside;  ///< of the wire, when something else was fitted
    Scale x;

    [[nodiscard]] double on_line(double frames) const {
        return fit.intercept_s.value + fit.slope_s_per_frame.value * frames;
    }
};

void put_text(Chart& chart, Literal kind, double x, double y, std::string_view text) {
    chart.page.leaf("text", {{"class", kind.text()}, {"x", x}, {"y", y}}, text);
}

void draw_x_axis(Chart& chart) {
    Path grid;
    for (const auto& mark : axis_marks(chart.x.from, chart.x.to, 10, Unit{1, "frames"})) {
        const double at = chart.x(mark.value);
        grid.move_to(at, upper_top).vertical_to(upper_bottom).move_to(at, lower_top).vertical_to(lower_bottom);
        put_text(chart, "axis", at, lower_bottom + 18, mark.label);
    }
    chart.page.empty("path", {{"class", "grid"}, {"d", grid.text()}});
    put_text(chart, "axis", (left + right) / 2, height - 6, "frames of the record on the wire");
}

void draw_y_axis(Chart& chart, const Scale& y, const Unit& unit, int marks) {
    Path grid;
    for (const auto& mark : axis_marks(y.from, y.to, marks, unit)) {
        grid.move_to(left, y(mark.value)).horizontal_to(right);
        put_text(chart, "axis last", left - 8, y(mark.value) + 4, mark.label);
    }
    chart.page.empty("path", {{"class", "grid"}, {"d", grid.text()}});
}

/// Dots for the fitted account, squares for the wire: told apart without colour.
void draw_points(Chart& chart, const Scale& y, double (*value)(const Chart&, const Point&)) {
    Path squares;
    for (const auto& point : chart.beside) squares.square(chart.x(point.frames), y(value(chart, point)), 5);
    if (!squares.empty()) chart.page.empty("path", {{"class", "wirepoint"}, {"d", squares.text()}});
    Path dots;
    for (const auto& point : chart.fitted) dots.dot(chart.x(point.frames), y(value(chart, point)));
    chart.page.empty("path", {{"class", chart.fit.of == "wire" ? "dots wiredots" : "dots"}, {"d", dots.text()}});
}

void draw_upper(Chart& chart) {
    double most = chart.on_line(chart.x.to);
    for (const auto* points : {&chart.fitted, &chart.beside}) {
        for (const auto& point : *points) most = std::max(most, point.seconds);
    }
    const Scale y{0, most * 1.05, upper_bottom, upper_top};
    const auto unit = unit_for(most / 2);
    draw_y_axis(chart, y, unit, 6);
    put_text(chart, "row", 0, upper_top + 4, page_unit(unit));
    Path line;
    line.move_to(chart.x(chart.x.from), y(chart.on_line(chart.x.from)))
        .line_to(chart.x(chart.x.to), y(chart.on_line(chart.x.to)));
    chart.page.empty("path", {{"class", "fitline"}, {"d", line.text()}});
    draw_points(chart, y, [](const Chart&, const Point& point) { return point.seconds; });
}

double residual(const Chart& chart, const Point& point) {
    return point.seconds - chart.on_line(point.frames);
}

void draw_residuals(Chart& chart) {
    double most = 0;
    for (const auto* points : {&chart.fitted, &chart.beside}) {
        for (const auto& point : *points) most = std::max(most, std::abs(residual(chart, point)));
    }
    if (!(most > 0)) most = 1e-6;
    const Scale y{-most * 1.15, most * 1.15, lower_bottom, lower_top};
    const auto unit = unit_for(most);
    draw_y_axis(chart, y, unit, 3);
    put_text(chart, "row", 0, lower_top + 4, page_unit(unit));
    put_text(chart, "row", 0, lower_top + 20, "off the");
    put_text(chart, "row", 0, lower_top + 34, "line");
    Path zero;
    zero.move_to(left, y(0)).horizontal_to(right);
    chart.page.empty("path", {{"class", "fitline"}, {"d", zero.text()}});
    draw_points(chart, y, residual);
}

}  // namespace

std::vector<std::string> fitted_cases(const RunView& run) {
    std::vector<std::string> cases;
    for (const auto& fit : run.fits) {
        if (std::ranges::find(cases, fit.case_name) == cases.end()) cases.push_back(fit.case_name);
    }
    return cases;
}

void draw_fit_chart(Writer& page, const RunView& run, const std::string& case_name, std::uint64_t number) {
    const auto* fit = fit_to_draw(run, case_name);
    if (fit == nullptr) return;
    Chart chart{page, *fit, points_of_account(run, case_name, fit->of), {}, {}};
    if (fit->of != "wire") chart.beside = points_of_account(run, case_name, "wire");
    if (chart.fitted.empty()) return;
    const auto longest = std::ranges::max(chart.fitted, {}, &Point::frames).frames;
    chart.x = {0, longest * 1.03, left, right};
    const Anchor title("fit-title-", number);
    const Anchor description("fit-text-", number);
    const auto svg = page.open("svg", {{"class", "chart"},
                                       {"viewBox", fmt::format("0 0 {} {}", width, height)},
                                       {"role", "img"},
                                       {"aria-labelledby", title.id() + " " + description.id()}});
    page.leaf("title", {{"id", title}}, fmt::format("{} over the frames of the record, case {}", fit->of, case_name));
    page.leaf(
        "desc", {{"id", description}},
        fmt::format("{} points. The fitted line has a slope of {} a frame and an intercept of {}.", chart.fitted.size(),
                    typeset(duration_text(fit->slope_s_per_frame)), typeset(duration_text(fit->intercept_s))));
    draw_x_axis(chart);
    draw_upper(chart);
    draw_residuals(chart);
}

}  // namespace rig::reports
