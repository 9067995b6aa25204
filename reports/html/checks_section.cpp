// SPDX-License-Identifier: GPL-3.0-or-later
// What the run rests on and what it shows: accounts, trials, checks, fits.
#include "reports/html/dot_plot.hpp"
#include "reports/html/fit_chart.hpp"
#include "reports/html/scale.hpp"
#include "reports/html/sections.hpp"
#include "reports/html/table.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rig::reports {
namespace {

struct AccountWords {
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array account_words{
    AccountWords{"wire", "the analyzer: first start bit to last stop bit of the record"},
    AccountWords{"interval", "the target's clock: what the printk took"},
    AccountWords{"jiffies", "the target's tick counter: ticks that came meanwhile"},
    AccountWords{"irq_off", "the target: the longest section with interrupts off"},
    AccountWords{"marker", "the analyzer: width of the pulse of a pin that is high while interrupts are off"}};

bool gave(const TrialView& trial, std::string_view account) {
    return account == "jiffies" ? trial.jiffies.has_value() : trial.figure_of(account).has_value();
}

std::string text_of(const std::vector<std::pair<std::string, std::string>>& entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, [](const auto& entry) { return entry.first; });
    return found == entries.end() ? std::string("—") : found->second;
}

std::string why_missing(const RunView& run, std::string_view account) {
    const auto found = std::ranges::find(run.missing, account, [](const auto& m) { return m.first; });
    return found == run.missing.end() ? std::string("not among the result's accounts") : found->second;
}

void write_account(Writer& page, Table& table, const RunView& run, const AccountWords& words) {
    const bool exists = std::ranges::find(run.accounts, words.name) != run.accounts.end();
    const auto row = exists ? table.row() : table.row("weak");
    put_row_head(page, words.name);
    put_text_cell(page, exists ? "✓ exists" : "✗ missing");
    put_text_cell(page, exists ? std::string(words.meaning) : why_missing(run, words.name));
    put_text_cell(page, text_of(run.sources, words.name));
    const auto with =
        std::ranges::count_if(run.trials, [&](const TrialView& t) { return t.certified && gave(t, words.name); });
    put_number_cell(page, fmt::format("{} of {}", with, run.certified));
}

void write_rejections(Writer& page, const RunView& run) {
    page.leaf("p", fmt::format("{} trials attempted, {} certified, {} rejected.", run.attempted, run.certified,
                               run.attempted - std::min(run.attempted, run.certified)));
    if (run.rejected.empty()) return;
    // The reason is the first line of the certificate that is not ok.
    const auto list = page.open("ul", {{"class", "reasons"}});
    for (const auto& [reason, attempts] : run.rejected) {
        const auto item = page.open("li");
        page.text(fmt::format("{} × ", attempts));
        page.leaf("b", reason);
    }
}

/// What a reader should know of the target before believing a figure.
void write_notices(Writer& page, const RunView& run) {
    if (run.notices.empty()) return;
    page.leaf("h3", "Of the target");
    const auto list = page.open("ul", {{"class", "notices"}});
    for (const auto& [about, what] : run.notices) {
        const auto item = page.open("li");
        page.leaf("b", about);
        page.text(": " + what);
    }
}

/// A check's figure in the unit that suits its size.
std::string check_figure(const CheckView& check) {
    if (!check.figure) return "—";
    if (check.unit == "s") return typeset(duration_text(*check.figure));
    if (check.unit == "s per frame") return typeset(duration_text(*check.figure)) + " per frame";
    return figure_text(*check.figure, Unit{1, check.unit});
}

void write_check(Writer& page, Table& table, const CheckView& check) {
    const auto row = table.row();
    {
        const auto cell = page.open("td");
        put_badge(page, check.verdict);
    }
    put_row_head(page, check.name);
    put_number_cell(page, check_figure(check));
    put_text_cell(page, typeset(check.limit));
    put_text_cell(page, typeset(check.why));
}

/// What can be drawn of the plan's checks, with their names.
std::vector<std::pair<std::string, CheckPoints>> drawn_checks(const PageSource& source) {
    std::vector<std::pair<std::string, CheckPoints>> drawn;
    if (!source.plan) return drawn;
    for (const auto& check : source.plan->checks) {
        if (auto points = points_of_check(source.run, check)) drawn.emplace_back(check.name, std::move(*points));
    }
    return drawn;
}

void write_dot_plots(Writer& page, const PageSource& source) {
    const auto drawn = drawn_checks(source);
    if (drawn.empty()) return;
    page.leaf(
        "p", {{"class", "note"}},
        "Below: one dot for each certified trial in the order of trials, on the band that its check allows; a cross "
        "lies outside.");
    const auto grid = page.open("div", {{"class", "plots"}});
    std::uint64_t number = 0;
    for (const auto& [name, points] : drawn) {
        const auto figure = page.open("figure");
        page.leaf("h3", name);
        draw_dot_plot(page, points, name, number++);
    }
}

void write_fit_row(Writer& page, Table& table, const FitView& fit) {
    const auto row = table.row();
    put_row_head(page, fmt::format("{} over {}", fit.of, fit.over));
    put_text_cell(page, fit.case_name);
    put_figure_cell(page, fit.slope_s_per_frame, microseconds);
    put_figure_cell(page, fit.intercept_s, milliseconds);
    put_number_cell(page, fit.residual_rms_s ? typeset(duration_text(Figure{*fit.residual_rms_s, 0})) : "—");
    put_number_cell(page, fit.trials ? std::to_string(*fit.trials) : "—");
}

}  // namespace

void write_evidence_base(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("accounts")}});
    page.leaf("h2", "What the result rests on");
    {
        Table table(page, "Accounts", "The accounts of a trial, each independent of the others",
                    {{"account"},
                     {"here"},
                     {"what it says, or why it says nothing"},
                     {"from"},
                     {"certified trials", Align::number}});
        for (const auto& words : account_words) write_account(page, table, source.run, words);
    }
    write_rejections(page, source.run);
    write_notices(page, source.run);
}

void write_checks(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("checks")}});
    page.leaf("h2", "Checks");
    if (source.run.checks.empty()) return page.leaf("p", {{"class", "nothing"}}, "No check was decided.");
    {
        Table table(page, "Checks", "The plan's checks on the certified trials",
                    {{"verdict"}, {"check"}, {"figure", Align::number}, {"limit"}, {"why"}});
        for (const auto& check : source.run.checks) write_check(page, table, check);
    }
    write_dot_plots(page, source);
}

void write_fits(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("fits")}});
    page.leaf("h2", "Cost per character");
    if (source.run.fits.empty())
        return page.leaf("p", {{"class", "nothing"}},
                         "Nothing was fitted: a line needs certified trials with records of three lengths.");
    std::uint64_t number = 0;
    for (const auto& case_name : fitted_cases(source.run)) {
        const auto figure = page.open("figure");
        page.leaf("h3", "Case " + case_name);
        {
            const auto box = page.open(
                "div",
                {{"class", "scroll drawing"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", "Length fit"}});
            draw_fit_chart(page, source.run, case_name, number++);
        }
        page.leaf("p", {{"class", "note"}},
                  "Dots: irq_off, with the line fitted to it (the wire's own where there is no irq_off). Squares: "
                  "wire. Under it: how far each lies off that line.");
    }
    Table table(
        page, "Fits",
        "Lines by least squares over the frames of the record; ± is two standard uncertainties from the scatter",
        {{"line"},
         {"case"},
         {"slope, µs per frame", Align::number},
         {"intercept, ms", Align::number},
         {"residual rms", Align::number},
         {"trials", Align::number}});
    for (const auto& fit : source.run.fits) write_fit_row(page, table, fit);
}

}  // namespace rig::reports
