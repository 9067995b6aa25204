// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/analysis.hpp"

#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using plan::Account;

constexpr std::array all_accounts{Account::wire, Account::interval, Account::jiffies, Account::irq_off,
                                  Account::marker};

bool gave(const TrialResult& trial, Account account) {
    return account == Account::jiffies ? trial.jiffies.has_value() : figure_of(trial, account).has_value();
}

void find_accounts(Result& result) {
    for (const auto account : all_accounts) {
        const auto& trials = result.trials;
        if (std::any_of(trials.begin(), trials.end(), [&](const auto& t) { return gave(t, account); })) {
            result.accounts.push_back(account);
            continue;
        }
        const auto reason =
            std::find_if(trials.begin(), trials.end(), [&](const auto& t) { return t.missing.contains(account); });
        result.missing[account] = reason == trials.end() ? "no trial came so far" : reason->missing.at(account);
    }
}

/// The name of the certificate line that rejected a trial, or "cut short".
std::string reason_of(const TrialResult& trial) {
    for (const auto& line : trial.certificate) {
        if (line.ok == false) return line.line;
    }
    return "cut short";
}

void count_trials(Result& result) {
    for (const auto& trial : result.trials) {
        ++result.attempted;
        if (trial.certified)
            ++result.certified;
        else
            ++result.rejected[reason_of(trial)];
    }
}

/// Repetitions that the plan wants and that got no certificate.
unsigned trials_wanting(const Result& result, const plan::Plan& plan) {
    unsigned wanting = 0;
    for (const auto& one : plan.cases) {
        for (const auto& point : one.points) {
            const auto got =
                static_cast<unsigned>(std::count_if(result.trials.begin(), result.trials.end(), [&](const auto& t) {
                    return t.certified && t.case_name == one.name && t.parameters == point;
                }));
            wanting += one.trials - std::min(one.trials, got);
        }
    }
    return wanting;
}

std::string show_rejections(const Result& result) {
    std::string text;
    for (const auto& [reason, count] : result.rejected)
        text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", count, reason);
    return text;
}

void set(Result& result, Verdict verdict, std::optional<Culprit> culprit, std::string cause) {
    result.verdict = verdict;
    result.culprit = culprit;
    result.cause = std::move(cause);
}

std::string first_rejection(const Result& result) {
    const auto trial =
        std::find_if(result.trials.begin(), result.trials.end(), [](const auto& t) { return !t.certified; });
    return trial == result.trials.end() ? "" : fmt::format("; trial {}: {}", trial->trial, trial->why);
}

/// The first of these that holds is the verdict: cut short, too little evidence, a check failed, a check undecided.
void conclude(Result& result, const evidence::Bundle& bundle, const plan::Plan& plan) {
    if (const auto& failure = bundle.failure()) {
        const auto verdict = failure->culprit == Culprit::dut ? Verdict::fail : Verdict::error;
        result.hint = failure->hint;
        return set(result, verdict, failure->culprit, failure->what);
    }
    if (!bundle.ended()) return set(result, Verdict::inconclusive, Culprit::rig, "the run was cut off before its end");
    const auto rejected = result.attempted - result.certified;
    if (static_cast<double>(rejected) > plan.certificate.rejected_at_most * static_cast<double>(result.attempted))
        return set(result, Verdict::inconclusive, Culprit::bench,
                   fmt::format("{} of {} trials were rejected ({}){}", rejected, result.attempted,
                               show_rejections(result), first_rejection(result)));
    for (const auto& check : result.checks) {
        if (check.verdict == Verdict::fail)
            return set(result, Verdict::fail, Culprit::dut, fmt::format("{}: {}", check.name, check.why));
    }
    if (const auto wanting = trials_wanting(result, plan); wanting > 0)
        return set(result, Verdict::inconclusive, Culprit::bench,
                   fmt::format("{} trials got no certificate in their attempts ({}){}", wanting,
                               show_rejections(result), first_rejection(result)));
    for (const auto& check : result.checks) {
        if (check.verdict != Verdict::pass)
            return set(result, Verdict::inconclusive, std::nullopt, fmt::format("{}: {}", check.name, check.why));
    }
    if (result.checks.empty())
        return set(
            result, Verdict::inconclusive, Culprit::plan,
            fmt::format("the plan has no checks, so nothing was decided on {} certified trials", result.certified));
    set(result, Verdict::pass, std::nullopt,
        fmt::format("all {} checks passed on {} certified trials", result.checks.size(), result.certified));
}

void read_environment(Result& result, const evidence::Bundle& bundle, const lab::Station& station) {
    auto& env = result.environment;
    for (const auto& [name, file] :
         {std::pair{"kernel", "target/before/version.txt"},
          std::pair{"kernel command line", "target/before/cmdline.txt"},
          std::pair{"printk_test", "target/before/printk_test.txt"}, std::pair{"bench", "bench/before.json"}}) {
        if (!bundle.has(file)) continue;
        std::string text = bundle.read(file);
        while (text.ends_with('\n')) text.pop_back();
        env[name] = std::move(text);
    }
    if (const auto analyzer = bundle.last_event("analyzer"); analyzer.is_object())
        env["analyzer"] =
            fmt::format("{} {} {} ({}, {})", analyzer.value("vendor", ""), analyzer.value("model", ""),
                        analyzer.value("version", ""), analyzer.value("driver", ""), analyzer.value("library", ""));
    env["samplerate"] = fmt::format("{} Hz", station.analyzer.samplerate.hz);
    env["baud"] = std::to_string(station.console.baud.value);
    if (const auto run = bundle.last_event("run"); run.is_object()) {
        env["rig"] = run.value("rig", "");
        env["started"] = run.value("started_utc", "");
    }
}

/// The session ends at a malformed file before its first trial, and its bundle says so: what is not stated is missing.
target::PrintkTestFacts facts_of(const evidence::Bundle& bundle) {
    try {
        return read_facts(bundle);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

int Result::exit_code() const {
    switch (verdict) {
        case Verdict::pass:
            return 0;
        case Verdict::fail:
            return 1;
        case Verdict::inconclusive:
            return 2;
        case Verdict::error:
            return exit_code_of(culprit.value_or(Culprit::rig));
    }
    return 5;
}

Result analyse(const evidence::Bundle& bundle) {
    const auto plan = plan::read_plan(bundle.plan());
    const auto station_document = bundle.station();
    const auto names = lab::station_names(station_document);
    if (names.empty()) throw PlanError(bundle.folder().string() + "/station.yaml lists no station");
    const auto station = lab::read_station(station_document, names.front());
    const auto facts = facts_of(bundle);

    Result result;
    result.plan = plan.name;
    result.station = station.name;
    for (const auto& trial : bundle.trials()) result.trials.push_back(assess(bundle, trial, plan, station, facts));
    find_accounts(result);
    count_trials(result);
    result.fits = fit_accounts(result.trials, plan);
    result.checks = decide_checks(result.trials, result.fits, plan);
    read_environment(result, bundle, station);
    conclude(result, bundle, plan);
    return result;
}

const TrialResult* worst_trial(const Result& result) {
    const TrialResult* worst = nullptr;
    const auto size = [](const TrialResult& t) {
        return t.irq_off_s ? t.irq_off_s->value : t.wire_s ? t.wire_s->value : 0;
    };
    for (const auto& trial : result.trials) {
        if (!trial.certified) continue;
        if (worst == nullptr || size(trial) > size(*worst)) worst = &trial;
    }
    return worst;
}

}  // namespace rig::analysis
