// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;
using plan::least_lengths;

std::string show_tolerance(const Tolerance& tolerance) {
    std::string text;
    const auto add = [&text](const std::string& term) { text += (text.empty() ? "" : " + ") + term; };
    if (tolerance.relative > 0) add(fmt::format("{:g} %", tolerance.relative * 100));
    if (tolerance.absolute.count() > 0) add(show_duration(to_seconds(tolerance.absolute)));
    if (tolerance.frames > 0) add(fmt::format("{:g} frame{}", tolerance.frames, tolerance.frames == 1 ? "" : "s"));
    return text.empty() ? "nothing" : text;
}

/// Start bit, eight data bits, stop bit.
constexpr double bits_of_a_frame = 10;

/// What a tolerance allows in a trial; nothing where it is stated in frames and the wire told no frame time.
std::optional<double> allowed_in(const TrialResult& trial, const Tolerance& tolerance, double reference_s) {
    if (tolerance.frames > 0 && !trial.baud_hz) return std::nullopt;
    return tolerance.allowed_s(reference_s, trial.baud_hz ? bits_of_a_frame / trial.baud_hz->value : 0);
}

std::string show_share(double share) {
    return share >= 1 ? "in every trial" : fmt::format("in at least {:g} % of the trials", share * 100);
}

/// The figure that a share of them does not exceed: one of them, with its own uncertainty.
Figure figure_at_share(const std::vector<Figure>& figures, double share) {
    std::vector<double> values;
    for (const auto& figure : figures) values.push_back(figure.value);
    const double value = quantile_of(std::move(values), share);
    return *std::ranges::find(figures, value, &Figure::value);
}

/// A trial's distance from what is allowed, for the checks that count trials.
struct Judged {
    unsigned trial;
    Figure distance;
    double allowed;
    [[nodiscard]] bool ok() const { return distance.value <= allowed; }
    [[nodiscard]] double excess() const { return distance.value - allowed; }
};

/// Passes when at least `share` of the judged trials are within what is allowed. `show` writes a distance.
void decide_by_share(CheckResult& result, const std::vector<Judged>& judged, std::size_t certified, double share,
                     std::string (*show_distance)(double)) {
    if (judged.empty()) {
        result.why = certified == 0 ? "no certified trial"
                                    : fmt::format("none of {} certified trials has both figures", certified);
        return;
    }
    const auto good =
        static_cast<std::size_t>(std::count_if(judged.begin(), judged.end(), [](const Judged& j) { return j.ok(); }));
    const auto worst = *std::max_element(judged.begin(), judged.end(),
                                         [](const Judged& a, const Judged& b) { return a.excess() < b.excess(); });
    std::vector<Figure> distances;
    for (const auto& one : judged) distances.push_back(one.distance);
    result.figure = figure_at_share(distances, share);
    // A trial in which an account gave nothing is neither agreement nor its opposite: it can keep a check from being
    // decided, and never lets it pass.
    const auto reaches = [&](std::size_t of) { return static_cast<double>(good) >= share * static_cast<double>(of); };
    result.verdict = !reaches(judged.size()) ? Verdict::fail
                     : reaches(certified)    ? Verdict::pass
                                             : Verdict::inconclusive;
    if (judged.size() < certified)
        result.why = fmt::format("{} of {} certified trials lack a figure; ", certified - judged.size(), certified);
    result.why +=
        fmt::format("{} of {} trials agree; the worst, trial {}, is {} off where {} is allowed", good, judged.size(),
                    worst.trial, show_distance(worst.distance.value), show_distance(worst.allowed));
}

std::vector<const TrialResult*> select(std::span<const TrialResult> trials, const std::string& of_case) {
    std::vector<const TrialResult*> selected;
    for (const auto& trial : trials) {
        if (trial.certified && (of_case.empty() || trial.case_name == of_case)) selected.push_back(&trial);
    }
    return selected;
}

void decide(const plan::AgreeCheck& check, const std::vector<const TrialResult*>& trials, CheckResult& result) {
    result.kind = "agree";
    result.unit = "s";
    result.limit = fmt::format("{} {}", show_tolerance(check.within), show_share(check.share));
    std::vector<Judged> judged;
    for (const auto* trial : trials) {
        const auto figure = figure_of(*trial, check.figure);
        const auto reference = figure_of(*trial, check.reference);
        if (!figure || !reference) continue;
        const auto allowed = allowed_in(*trial, check.within, reference->value);
        if (!allowed) continue;
        const Figure distance{std::abs(figure->value - reference->value), combine(figure->u, reference->u)};
        judged.push_back({trial->trial, distance, *allowed});
    }
    decide_by_share(result, judged, trials.size(), check.share, show_duration);
}

void decide(const plan::LostTicksCheck& check, const std::vector<const TrialResult*>& trials, CheckResult& result) {
    result.kind = "model";
    result.unit = "ticks";
    result.limit = fmt::format("within {} tick{} of the model {}", check.within, check.within == 1 ? "" : "s",
                               show_share(check.share));
    std::vector<Judged> judged;
    for (const auto* trial : trials) {
        if (!trial->lost_ticks || !trial->model_lost_ticks) continue;
        const double lost = trial->lost_ticks->value;
        const double below = static_cast<double>(trial->model_lost_ticks->least.count) - lost;
        const double above = lost - static_cast<double>(trial->model_lost_ticks->most.count);
        const Figure distance{std::max({below, above, 0.0}), trial->lost_ticks->u};
        judged.push_back({trial->trial, distance, static_cast<double>(check.within)});
    }
    decide_by_share(result, judged, trials.size(), check.share,
                    [](double ticks) { return fmt::format("{:.2f} ticks", ticks); });
}

/// The frame time on this wire: ten bits of the fitted baud, the median of the trials.
std::optional<double> frame_time(const std::vector<const TrialResult*>& trials) {
    std::vector<double> bauds;
    for (const auto* trial : trials) {
        if (trial->baud_hz) bauds.push_back(trial->baud_hz->value);
    }
    if (bauds.empty()) return std::nullopt;
    return bits_of_a_frame / median_of(std::move(bauds));
}

/// Slopes as shares of what is expected of them, counted with what they are uncertain by (95 %).
struct SlopeTally {
    bool one_beyond = false;
    bool all_within = true;
    const AccountFit* worst = nullptr;
    double worst_off = 0;
};

SlopeTally tally(const plan::SlopeCheck& check, const std::string& of_case, std::span<const AccountFit> fits,
                 double expected) {
    SlopeTally tally;
    for (const auto& fit : fits) {
        if (fit.of != check.of || (!of_case.empty() && fit.of_case != of_case)) continue;
        const double off = fit.line.slope.value / expected - 1;
        const double u95 = 2 * fit.line.slope.u / expected;
        if (std::abs(off) - u95 > check.within) tally.one_beyond = true;
        if (std::abs(off) + u95 > check.within) tally.all_within = false;
        if (tally.worst && std::abs(off) <= std::abs(tally.worst_off)) continue;
        tally.worst = &fit;
        tally.worst_off = off;
    }
    return tally;
}

void decide(const plan::SlopeCheck& check, const std::string& of_case, const std::vector<const TrialResult*>& trials,
            std::span<const AccountFit> fits, CheckResult& result) {
    result.kind = "fit";
    result.unit = "s per frame";
    result.limit = fmt::format("{:g} frame{} ± {:g} %", check.frames, check.frames == 1 ? "" : "s", check.within * 100);
    const auto frame = frame_time(trials);
    const double expected = check.frames * frame.value_or(1);
    const auto seen = frame ? tally(check, of_case, fits, expected) : SlopeTally{};
    if (!seen.worst) {
        result.why =
            fmt::format("no certified trials with {} at {} lengths or more", plan::name_of(check.of), least_lengths);
        return;
    }
    const auto& line = seen.worst->line;
    result.figure = line.slope;
    result.verdict = seen.one_beyond ? Verdict::fail : seen.all_within ? Verdict::pass : Verdict::inconclusive;
    result.why =
        fmt::format("{:.3f} ± {:.3f} us per frame over {} trials, {:+.2f} % from {:.3f} us", line.slope.value * 1e6,
                    2 * line.slope.u * 1e6, line.points, seen.worst_off * 100, expected * 1e6);
}

/// The site of the longest section that a trial's target named: what a maintainer looks for.
std::string site_of(const TrialResult& trial) {
    const auto longest = std::ranges::max_element(
        trial.sections, {}, [](const target::IrqOffEvent& event) { return event.section.duration; });
    return longest == trial.sections.end() ? std::string() : fmt::format(" in {}", longest->section.site);
}

/// On which side of a limit figures lie, counted with what they are uncertain by (95 %).
struct LimitTally {
    std::size_t below = 0;  ///< surely
    std::size_t above = 0;  ///< surely
    std::size_t marginal = 0;
    std::vector<Figure> figures;
    const TrialResult* worst = nullptr;
};

LimitTally tally(const plan::LimitCheck& check, const std::vector<const TrialResult*>& trials) {
    const double limit = to_seconds(check.at_most);
    LimitTally tally;
    double worst = 0;
    for (const auto* trial : trials) {
        const auto figure = figure_of(*trial, check.of);
        if (!figure) continue;
        tally.figures.push_back(*figure);
        if (figure->value + 2 * figure->u <= limit) ++tally.below;
        if (figure->value - 2 * figure->u > limit) ++tally.above;
        if (check.marginal && figure->value <= limit && figure->value > to_seconds(*check.marginal)) ++tally.marginal;
        if (tally.worst && figure->value <= worst) continue;
        worst = figure->value;
        tally.worst = trial;
    }
    return tally;
}

void decide(const plan::LimitCheck& check, const std::vector<const TrialResult*>& trials, CheckResult& result) {
    result.kind = "limit";
    result.unit = "s";
    result.limit = fmt::format("{} at most {}", show_duration(to_seconds(check.at_most)), show_share(check.share));
    const auto seen = tally(check, trials);
    if (!seen.worst) {
        result.why = trials.empty()
                         ? "no certified trial"
                         : fmt::format("none of {} certified trials has {}", trials.size(), plan::name_of(check.of));
        return;
    }
    const auto worst = *figure_of(*seen.worst, check.of);
    result.figure = figure_at_share(seen.figures, check.share);
    // Trials without a figure, and those too near the limit to tell, count for neither side.
    const double needed = check.share * static_cast<double>(trials.size());
    const auto at_best = static_cast<double>(trials.size() - seen.above);
    result.verdict = at_best < needed                            ? Verdict::fail
                     : static_cast<double>(seen.below) >= needed ? Verdict::pass
                                                                 : Verdict::inconclusive;
    result.why =
        fmt::format("{} of {} trials above; the worst, trial {}, is {} ± {}{}", seen.above, seen.figures.size(),
                    seen.worst->trial, show_duration(worst.value), show_duration(2 * worst.u),
                    check.of == Account::irq_off ? site_of(*seen.worst) : std::string());
    if (seen.marginal > 0)
        result.why += fmt::format("; {} marginal, above {}", seen.marginal, show_duration(to_seconds(*check.marginal)));
    if (seen.figures.size() < trials.size())
        result.why += fmt::format("; {} certified trials lack a figure", trials.size() - seen.figures.size());
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::fail:
            return "fail";
        case Verdict::inconclusive:
            return "inconclusive";
        case Verdict::error:
            return "error";
        case Verdict::skipped:
            return "skipped";
    }
    return "error";
}

std::optional<Figure> figure_of(const TrialResult& trial, Account account) {
    switch (account) {
        case Account::wire:
            return trial.wire_s;
        case Account::interval:
            return trial.interval_s;
        case Account::irq_off:
            return trial.irq_off_s;
        case Account::marker:
            return trial.marker_s;
        case Account::jiffies:
            return std::nullopt;
    }
    return std::nullopt;
}

std::vector<AccountFit> fit_accounts(std::span<const TrialResult> trials, const plan::Plan& plan) {
    std::vector<AccountFit> fits;
    for (const auto& one : plan.cases) {
        for (const auto account : {Account::wire, Account::interval, Account::irq_off, Account::marker}) {
            std::vector<double> frames;
            std::vector<double> seconds;
            for (const auto* trial : select(trials, one.name)) {
                const auto figure = figure_of(*trial, account);
                if (!figure || !trial->frames) continue;
                frames.push_back(static_cast<double>(*trial->frames));
                seconds.push_back(figure->value);
            }
            if (std::set<double>(frames.begin(), frames.end()).size() >= least_lengths)
                fits.push_back({one.name, account, fit_line(frames, seconds)});
        }
    }
    return fits;
}

std::vector<CheckResult> decide_checks(std::span<const TrialResult> trials, std::span<const AccountFit> fits,
                                       const plan::Plan& plan) {
    std::vector<CheckResult> results;
    for (const auto& check : plan.checks) {
        CheckResult result;
        result.name = check.name;
        const auto selected = select(trials, check.of_case);
        if (const auto* agree = std::get_if<plan::AgreeCheck>(&check.what)) decide(*agree, selected, result);
        if (const auto* ticks = std::get_if<plan::LostTicksCheck>(&check.what)) decide(*ticks, selected, result);
        if (const auto* slope = std::get_if<plan::SlopeCheck>(&check.what))
            decide(*slope, check.of_case, selected, fits, result);
        if (const auto* limit = std::get_if<plan::LimitCheck>(&check.what)) decide(*limit, selected, result);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace rig::analysis
