// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/table.hpp"

#include "reports/model/figure_text.hpp"
#include "reports/model/point_summary.hpp"
#include "reports/model/run_view.hpp"
#include "reports/model/visible_text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::reports {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t label_width = 10;

enum class Tone { strong, weak, pass, fail, inconclusive, error };

/// SGR codes of ISO/IEC 6429; a terminal's own palette gives the colours.
std::string_view code_of(Tone tone) {
    switch (tone) {
        case Tone::strong:
            return "1";
        case Tone::weak:
            return "2";
        case Tone::pass:
            return "32";
        case Tone::fail:
            return "31";
        case Tone::inconclusive:
            return "33";
        case Tone::error:
            return "35";
    }
    return "0";
}

Tone tone_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass:
            return Tone::pass;
        case Outcome::fail:
            return Tone::fail;
        case Outcome::inconclusive:
            return Tone::inconclusive;
        case Outcome::skipped:
            return Tone::weak;
        case Outcome::error:
            return Tone::error;
    }
    return Tone::error;
}

class Ink {
public:
    explicit Ink(TableStyle style) : style_(style) {}
    [[nodiscard]] std::string operator()(Tone tone, std::string_view text) const {
        if (style_ == TableStyle::plain) return std::string(text);
        return fmt::format("\x1b[{}m{}\x1b[0m", code_of(tone), text);
    }

private:
    TableStyle style_;
};

std::string safe(std::string_view text, std::size_t columns) {
    return elide(visible_text(text), columns);
}

/// Breaks clean text at spaces into lines of at most `columns`; a word that is longer is broken itself.
std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t width = 0;
    const auto flush = [&] {
        lines.push_back(line);
        line.clear();
        width = 0;
    };
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find(' ', at), text.size());
        std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (width > 0 && width + 1 + display_width(word) > columns) flush();
        if (width > 0) line += ' ', ++width;
        while (display_width(word) > columns) {
            // elide() leaves room for its mark; here the rest goes on the next line.
            const std::string part = elide(word, columns + 1);
            const auto bytes = part.size() - std::string_view("…").size();
            line += word.substr(0, bytes);
            word.remove_prefix(bytes);
            flush();
        }
        line += word;
        width += display_width(word);
    }
    if (!line.empty() || lines.empty()) flush();
    return lines;
}

/// A labelled text, wrapped beside its label.
std::string labelled(const Ink& ink, std::string_view label, std::string_view text) {
    std::string out;
    bool first = true;
    for (const auto& line : wrap(text, page_width - label_width)) {
        const std::string head(first ? label : "");
        out += ink(Tone::weak, head) + std::string(label_width - display_width(head), ' ') + line + "\n";
        first = false;
    }
    return out;
}

std::string pad_left(std::string text, std::size_t columns) {
    const auto width = display_width(text);
    return width < columns ? std::string(columns - width, ' ') + text : text;
}

std::string pad_right(std::string text, std::size_t columns) {
    const auto width = display_width(text);
    return width < columns ? text + std::string(columns - width, ' ') : text;
}

std::string head_lines(const RunView& run, const Ink& ink) {
    std::string verdict(name_of(run.verdict));
    std::ranges::transform(verdict, verdict.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    std::string out = ink(tone_of(run.verdict), fmt::format("{} {}", sign_of(run.verdict), verdict)) + "  " +
                      ink(Tone::strong, fmt::format("{} @ {}", safe(run.plan, 28), safe(run.station, 28)));
    if (!run.culprit.empty()) out += fmt::format("  (culprit: {})", safe(run.culprit, 10));
    out += "\n";
    for (const auto& line : wrap(visible_text(run.cause), page_width)) out += line + "\n";
    if (!run.hint.empty()) {
        for (const auto& line : wrap("hint: " + visible_text(run.hint), page_width)) out += line + "\n";
    }
    return out + "\n";
}

std::string account_lines(const RunView& run, const Ink& ink) {
    std::string names;
    for (const auto& account : run.accounts) names += (names.empty() ? "" : "  ") + safe(account, 20);
    std::string out = labelled(ink, "accounts", names.empty() ? "none" : names);
    // Accounts that are missing for one reason share a line.
    std::vector<std::pair<std::string, std::string>> missing;  // why, accounts
    for (const auto& [account, why] : run.missing) {
        const auto same = std::ranges::find(missing, why, [](const auto& entry) { return entry.first; });
        if (same == missing.end())
            missing.emplace_back(why, safe(account, 20));
        else
            same->second += ", " + safe(account, 20);
    }
    for (const auto& [why, accounts] : missing)
        out += labelled(ink, "missing", fmt::format("{}: {}", accounts, visible_text(why, {1, 300})));
    for (const auto& [account, source] : run.sources)
        out += labelled(ink, "from", fmt::format("{}: {}", safe(account, 20), visible_text(source, {1, 300})));
    for (const auto& [about, what] : run.notices)
        out += labelled(ink, "notice", fmt::format("{}: {}", safe(about, 20), visible_text(what, {1, 300})));
    return out;
}

std::string trial_lines(const RunView& run, const Ink& ink) {
    const auto rejected = run.attempted - std::min(run.attempted, run.certified);
    std::string text = fmt::format("{} attempted, {} certified, {} rejected", run.attempted, run.certified, rejected);
    std::string reasons;
    for (const auto& [reason, attempts] : run.rejected)
        reasons += fmt::format("{}{} × {}", reasons.empty() ? ": " : ", ", attempts, safe(reason, 40));
    return labelled(ink, "trials", text + reasons);
}

struct Columns {
    std::size_t place = 17;
    std::size_t trials = 6;
    std::size_t frames = 7;
    std::size_t figure = 12;
    std::size_t lost = 15;
    std::size_t model = 7;
};

/// "23.80 ±0.02": two places of a millisecond are what a terminal has room for.
std::string figure_cell(const std::optional<Figure>& figure) {
    if (!figure) return "-";
    const auto halves = figure_halves(*figure, milliseconds, 2);
    return halves.expanded.empty() ? halves.value : fmt::format("{} ±{}", halves.value, halves.expanded);
}

std::string lost_cell(const PointSummary& point) {
    if (!point.lost_ticks) return "-";
    const auto& lost = *point.lost_ticks;
    return fmt::format("{:.1f} {:.1f}…{:.1f}", lost.median, lost.least, lost.most);
}

std::string model_cell(const PointSummary& point) {
    if (!point.model) return "-";
    if (point.model->first == point.model->second) return std::to_string(point.model->first);
    return fmt::format("{}…{}", point.model->first, point.model->second);
}

std::string point_row(const PointSummary& point, const Columns& columns) {
    const auto place = point.point.empty() ? point.case_name : fmt::format("{} {}", point.case_name, point.point);
    const auto trials = point.certified == point.attempts ? std::to_string(point.certified)
                                                          : fmt::format("{}/{}", point.certified, point.attempts);
    std::string row = pad_right(safe(place, columns.place), columns.place) + pad_left(trials, columns.trials) +
                      pad_left(point.frames ? short_number(*point.frames, 1) : "-", columns.frames);
    for (const auto& figure : {point.wire_s, point.irq_off_s, point.interval_s, point.marker_s})
        row += pad_left(figure_cell(figure), columns.figure);
    return row + pad_left(lost_cell(point), columns.lost) + pad_left(model_cell(point), columns.model) + "\n";
}

/// The width of the widest cell and a gap; what is left over goes to the name of the point.
Columns fit_columns(const std::vector<PointSummary>& points) {
    Columns columns;
    const auto widen = [](std::size_t& column, const std::string& cell) {
        column = std::max(column, display_width(cell) + 1);
    };
    columns.figure = 12;  // the heads, in full
    columns.lost = 11;
    for (const auto& point : points) {
        for (const auto& figure : {point.wire_s, point.irq_off_s, point.interval_s, point.marker_s})
            widen(columns.figure, figure_cell(figure));
        widen(columns.lost, lost_cell(point));
        widen(columns.model, model_cell(point));
    }
    const auto others = columns.trials + columns.frames + 4 * columns.figure + columns.lost + columns.model;
    columns.place = std::max<std::size_t>(6, page_width - std::min(page_width - 6, others));
    std::size_t longest = 6;
    for (const auto& point : points)
        longest = std::max(longest, display_width(visible_text(point.case_name + " " + point.point)));
    columns.place = std::min(columns.place, longest + 1);
    return columns;
}

std::string point_lines(const RunView& run, const Ink& ink) {
    const auto points = summarise_points(run);
    if (points.empty()) return {};
    const auto columns = fit_columns(points);
    std::string head =
        pad_right("case", columns.place) + pad_left("trials", columns.trials) + pad_left("frames", columns.frames);
    for (const auto* name : {"wire ms", "irq_off ms", "interval ms", "marker ms"})
        head += pad_left(elide(name, columns.figure - 1), columns.figure);
    head += pad_left("lost ticks", columns.lost) + pad_left("model", columns.model);
    std::string out = "\n" + ink(Tone::weak, head) + "\n";
    for (const auto& point : points) out += point_row(point, columns);
    return out + ink(Tone::weak, "medians of certified trials; ± 95 % for one trial, its scatter included") + "\n";
}

std::string fit_lines(const RunView& run, const Ink& ink) {
    std::string out;
    for (const auto& fit : run.fits) {
        std::string text =
            fmt::format("{} of {}: {} per frame, {} at 0 frames", safe(fit.of, 12), safe(fit.case_name, 16),
                        figure_text(fit.slope_s_per_frame, microseconds), figure_text(fit.intercept_s, microseconds));
        if (fit.trials) text += fmt::format(", {} trials", *fit.trials);
        out += labelled(ink, out.empty() ? "fits" : "", text);
    }
    return out.empty() ? out : "\n" + out;
}

std::string check_lines(const RunView& run, const Ink& ink) {
    std::string out;
    for (const auto& check : run.checks) {
        const std::string limit = visible_text(check.limit, {1, 200});
        std::string name = safe(check.name, 60);
        out += fmt::format("{} {}", ink(tone_of(check.verdict), sign_of(check.verdict)), ink(Tone::strong, name));
        const bool beside = 4 + display_width(name) + display_width(limit) <= page_width;
        out += beside ? fmt::format("  {}\n", limit) : "\n";
        if (!beside)
            for (const auto& line : wrap(limit, page_width - 4)) out += "    " + line + "\n";
        for (const auto& line : wrap(visible_text(check.why, {1, 600}), page_width - 4)) out += "    " + line + "\n";
    }
    return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string render_table(const nlohmann::ordered_json& result, TableStyle style) {
    const auto run = read_run(result);
    const Ink ink(style);
    return head_lines(run, ink) + account_lines(run, ink) + trial_lines(run, ink) + point_lines(run, ink) +
           fit_lines(run, ink) + check_lines(run, ink);
}

}  // namespace rig::reports
