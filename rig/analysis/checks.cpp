// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;

constexpr std::size_t least_lengths = 3;

std::string show_tolerance(const Tolerance& tolerance) {
    if (tolerance.relative > 0 && tolerance.absolute.count() > 0)
        return fmt::format("{:g} % + {}", tolerance.relative * 100, show_duration(to_seconds(tolerance.absolute)));
    if (tolerance.relative > 0) return fmt::format("{:g} %", tolerance.relative * 100);
    return show_duration(to_seconds(tolerance.absolute));
}

std::string show_share(double share) {
    return share >= 1 ? "in every trial" : fmt::format("in at least {:g} % of the trials", share * 100);
}

/// A trial's distance from what is allowed, for the checks that count trials.
struct Judged {
    unsigned trial;
    double distance;
    double allowed;
    [[nodiscard]] bool ok() const { return distance <= allowed; }
    [[nodiscard]] double excess() const { return distance - allowed; }
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
    std::vector<double> distances;
    for (const auto& one : judged) distances.push_back(one.distance);
    result.figure = Figure{quantile_of(std::move(distances), share), 0};
    // A trial in which an account gave nothing is neither agreement nor its opposite: it can keep a check from being
    // decided, and never lets it pass.
    const auto reaches = [&](std::size_t of) { return static_cast<double>(good) >= share * static_cast<double>(of); };
    result.verdict = !reaches(judged.size()) ? Verdict::fail
                     : reaches(certified)    ? Verdict::pass
                                             : Verdict::inconclusive;
    result.why = fmt::format("{} of {} trials; the worst, trial {}, is {} off where {} is allowed", good, judged.size(),
                             worst.trial, show_distance(worst.distance), show_distance(worst.allowed));
    if (judged.size() < certified)
        result.why += fmt::format("; {} certified trials lack a figure", certified - judged.size());
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
        judged.push_back(
            {trial->trial, std::abs(figure->value - reference->value), check.within.allowed_s(reference->value)});
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
        judged.push_back({trial->trial, std::max({below, above, 0.0}), static_cast<double>(check.within)});
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
    return 10 / median_of(std::move(bauds));
}

void decide(const plan::SlopeCheck& check, const std::string& of_case, const std::vector<const TrialResult*>& trials,
            std::span<const AccountFit> fits, CheckResult& result) {
    result.kind = "fit";
    result.unit = "s per frame";
    result.limit = fmt::format("{:g} frame{} ± {:g} %", check.frames, check.frames == 1 ? "" : "s", check.within * 100);
    const auto frame = frame_time(trials);
    const auto fit = std::find_if(fits.begin(), fits.end(), [&](const AccountFit& f) {
        return f.of == check.of && (of_case.empty() || f.of_case == of_case);
    });
    if (fit == fits.end() || !frame) {
        result.why =
            fmt::format("no certified trials with {} at {} lengths or more", plan::name_of(check.of), least_lengths);
        return;
    }
    const double expected = check.frames * *frame;
    const double off = fit->line.slope.value / expected - 1;
    result.figure = fit->line.slope;
    result.verdict = std::abs(off) <= check.within ? Verdict::pass : Verdict::fail;
    result.why = fmt::format("{:.3f} ± {:.3f} us per frame over {} trials, {:+.2f} % from {:.3f} us",
                             fit->line.slope.value * 1e6, 2 * fit->line.slope.u * 1e6, fit->line.points, off * 100,
                             expected * 1e6);
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
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace rig::analysis
