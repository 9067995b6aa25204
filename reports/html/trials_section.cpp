// SPDX-License-Identifier: GPL-3.0-or-later
// The figures trial by trial: points, trials, sites, the certificate of the trial shown.
#include "reports/html/scale.hpp"
#include "reports/html/sections.hpp"
#include "reports/html/table.hpp"
#include "reports/model/point_summary.hpp"

#include <fmt/format.h>

namespace rig::reports {
namespace {

constexpr int column_decimals = 3;  // a microsecond in a column of milliseconds: more than any table needs

std::string model_text(const std::optional<std::pair<std::int64_t, std::int64_t>>& model) {
    if (!model) return "—";
    return model->first == model->second ? std::to_string(model->first)
                                         : fmt::format("{} – {}", model->first, model->second);
}

std::string lost_text(const PointSummary& point) {
    if (!point.lost_ticks) return "—";
    return fmt::format("{:.1f} ({:.1f} to {:.1f})", point.lost_ticks->median, point.lost_ticks->least,
                       point.lost_ticks->most);
}

void write_point(Writer& page, Table& table, const PointSummary& point) {
    const auto row = table.row();
    put_row_head(page, point.case_name);
    put_text_cell(page, point.point.empty() ? "—" : point.point);
    put_number_cell(page, fmt::format("{} of {}", point.certified, point.attempts));
    put_number_cell(page, point.frames ? short_number(*point.frames, 1) : "—");
    for (const auto& figure : {point.wire_s, point.irq_off_s, point.interval_s, point.marker_s})
        put_figure_cell(page, figure, milliseconds, column_decimals);
    put_number_cell(page, lost_text(point));
    put_number_cell(page, model_text(point.model));
}

template <class T>
std::string text_or_dash(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "—";
}

void write_trial(Writer& page, Table& table, const TrialView& trial, bool shown) {
    const auto row = table.row(Anchor("trial-", trial.trial),
                               trial.certified ? (shown ? Literal("shown") : Literal("t")) : Literal("rejected"));
    put_row_head(page, std::to_string(trial.trial));
    put_text_cell(page, trial.place());
    put_text_cell(page, trial.certified ? "✓" : "✗ no");
    put_number_cell(page, text_or_dash(trial.frames));
    for (const auto& figure : {trial.wire_s, trial.irq_off_s, trial.interval_s, trial.marker_s})
        put_figure_cell(page, figure, milliseconds, column_decimals);
    put_number_cell(page, text_or_dash(trial.jiffies));
    put_figure_cell(page, trial.lost_ticks, ticks, 1);
    put_number_cell(page, model_text(trial.model_lost_ticks));
    put_number_cell(page, trial.slip_s ? short_number(*trial.slip_s * 1e3, 3) : "—");
    const auto cell = page.open("td", {{"class", "why"}});
    if (!trial.certified) page.lines(typeset(trial.why), {1, 240});
}

void write_site(Writer& page, Table& table, const SiteSummary& site, double longest) {
    const auto row = table.row();
    {
        const auto cell = page.open("th", {{"scope", "row"}, {"class", "mono"}});
        page.lines(site.site, {1, 120});
    }
    put_number_cell(page, count_text(site.count));
    put_number_cell(page, typeset(duration_text({site.most_s, 0})));
    put_number_cell(page, typeset(duration_text({site.median_s, 0})));
    constexpr double width = 240;
    const auto cell = page.open("td", {{"class", "bar"}});
    const auto svg = page.open("svg", {{"viewBox", "0 0 240 12"}, {"aria-hidden", "true"}});
    const auto share = [&](double duration) { return longest > 0 ? std::max(width * duration / longest, 1.0) : 1.0; };
    page.empty("rect", {{"class", "most"}, {"x", 0}, {"y", 3}, {"width", share(site.most_s)}, {"height", 6}});
    page.empty("rect", {{"class", "median"}, {"x", share(site.median_s) - 1}, {"y", 0}, {"width", 2}, {"height", 12}});
}

}  // namespace

void write_points(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("points")}});
    page.leaf("h2", "Points");
    const auto points = summarise_points(source.run);
    if (points.empty()) return page.leaf("p", {{"class", "nothing"}}, "No trial was attempted.");
    Table table(page, "Points",
                "Medians of the certified trials; ± is 95 % for one trial, its scatter and its instrument together. "
                "Times in ms",
                {{"case"},
                 {"point"},
                 {"certified", Align::number},
                 {"frames", Align::number},
                 {"wire", Align::number},
                 {"irq_off", Align::number},
                 {"interval", Align::number},
                 {"marker", Align::number},
                 {"lost ticks (range)", Align::number},
                 {"model", Align::number}});
    for (const auto& point : points) write_point(page, table, point);
}

void write_trials(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("trials")}});
    page.leaf("h2", "Trials");
    if (source.run.trials.empty()) return page.leaf("p", {{"class", "nothing"}}, "No trial was attempted.");
    const auto* shown = shown_trial(source.run);
    Table table(page, "Trials", "Every attempt in order, ± 95 %; times in ms",
                {{"trial"},
                 {"case, point"},
                 {"certified"},
                 {"frames", Align::number},
                 {"wire", Align::number},
                 {"irq_off", Align::number},
                 {"interval", Align::number},
                 {"marker", Align::number},
                 {"jiffies", Align::number},
                 {"lost ticks", Align::number},
                 {"model", Align::number},
                 {"slip", Align::number},
                 {"why not certified"}});
    for (const auto& trial : source.run.trials) write_trial(page, table, trial, &trial == shown);
}

void write_sites(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("sites")}});
    page.leaf("h2", "IRQ-off by site");
    const auto sites = summarise_sites(source.run);
    if (sites.empty())
        return page.leaf("p", {{"class", "nothing"}}, "The target reported no section in a certified trial.");
    Table table(
        page, "IRQ-off by site",
        "Sections with interrupts off while the records of certified trials were printed; bar: longest, tick: median",
        {{"site"}, {"count", Align::number}, {"longest", Align::number}, {"median", Align::number}, {""}});
    for (const auto& site : sites) write_site(page, table, site, sites.front().most_s);
}

void write_certificate(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("certificate")}});
    const auto* trial = shown_trial(source.run);
    page.leaf("h2", trial == nullptr ? "Certificate" : fmt::format("Certificate of trial {}", trial->trial));
    if (trial == nullptr || trial->certificate.empty())
        return page.leaf("p", {{"class", "nothing"}}, "There is no certificate.");
    Table table(page, "Certificate", "Whether the capture is whole, from the rig's side only",
                {{"line"}, {"ok"}, {"figure"}});
    for (const auto& line : trial->certificate) {
        const auto row = table.row();
        put_row_head(page, line.line);
        put_text_cell(page, !line.ok ? "? not judged" : *line.ok ? "✓ ok" : "✗ not ok");
        put_text_cell(page, typeset(line.figure));
    }
}

}  // namespace rig::reports
