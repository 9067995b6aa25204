// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/analysis.hpp"

#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

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
        const auto giver = std::ranges::find_if(trials, [&](const auto& t) { return gave(t, account); });
        if (giver != trials.end()) {
            result.accounts.push_back(account);
            if (const auto source = giver->sources.find(account); source != giver->sources.end())
                result.sources.insert(*source);
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

/// The median of what the certified trials found.
std::optional<Figure> wire_baud(const std::vector<TrialResult>& trials) {
    std::vector<double> bauds;
    double u = 0;
    for (const auto& trial : trials) {
        if (!trial.certified || !trial.baud_hz) continue;
        bauds.push_back(trial.baud_hz->value);
        u = std::max(u, trial.baud_hz->u);
    }
    if (bauds.empty()) return std::nullopt;
    return Figure{median_of(std::move(bauds)), u};
}

/// A check that the plan lets go where an account does not exist at all on this target. One whose accounts exist and
/// have gaps stays undecided.
void skip_checks(Result& result, const plan::Plan& plan) {
    if (result.certified == 0) return;
    for (std::size_t i = 0; i < result.checks.size(); ++i) {
        if (plan.checks[i].if_missing != plan::Check::IfMissing::skip) continue;
        for (const auto account : plan::accounts_of(plan.checks[i])) {
            const auto why = result.missing.find(account);
            if (why == result.missing.end()) continue;
            result.checks[i].verdict = Verdict::skipped;
            result.checks[i].why = fmt::format("no account {}: {}", plan::name_of(account), why->second);
            break;
        }
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

struct RejectionHint {
    std::string_view line;
    std::string_view hint;
};
/// What to try when most trials were rejected by one line of their certificate.
constexpr std::array rejection_hints{
    RejectionHint{"framing", "is the baud right? rig doctor measures what is on the wire"},
    RejectionHint{"record", "is the tx probe on the board's TX, and not on RX? rig doctor looks at each probe"},
    RejectionHint{"idle_before",
                  "is the probe connected, its level not inverted, and the board quiet? rig doctor looks at "
                  "each probe"},
    RejectionHint{"samples", "give the analyzer a USB port of its own, or a lower sample rate"},
    RejectionHint{"elapsed", "give the analyzer a USB port of its own, or a lower sample rate"},
    RejectionHint{"heartbeat", "give the analyzer a USB port of its own, or a lower sample rate"},
    RejectionHint{"bit_phase", "give the analyzer a USB port of its own, or a lower sample rate"},
    RejectionHint{"console_bytes", "does something else read the console? rig doctor compares wire and console"},
    RejectionHint{"run_delay", "the host is busy: run one virtual station at a time, and nothing beside it"},
    RejectionHint{"pacer_slip", "the host is busy: run one virtual station at a time, and nothing beside it"},
    RejectionHint{"late_events", "the host is busy: run one virtual station at a time, and nothing beside it"},
};

std::string rejection_hint(const Result& result) {
    const auto most = std::ranges::max_element(result.rejected, {}, [](const auto& entry) { return entry.second; });
    if (most == result.rejected.end()) return {};
    const auto row = std::ranges::find(rejection_hints, most->first, &RejectionHint::line);
    return row == rejection_hints.end() ? std::string() : std::string(row->hint);
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
    result.hint = rejection_hint(result);
    if (static_cast<double>(rejected) > plan.certificate.rejected_at_most * static_cast<double>(result.attempted))
        return set(result, Verdict::inconclusive, Culprit::bench,
                   fmt::format("{} of {} trials were rejected ({}){}", rejected, result.attempted,
                               show_rejections(result), first_rejection(result)));
    const std::string hint = std::exchange(result.hint, {});
    for (const auto& check : result.checks) {
        if (check.verdict == Verdict::fail)
            return set(result, Verdict::fail, Culprit::dut, fmt::format("{}: {}", check.name, check.why));
    }
    if (const auto wanting = trials_wanting(result, plan); wanting > 0) {
        result.hint = hint;
        return set(result, Verdict::inconclusive, Culprit::bench,
                   fmt::format("{} trials got no certificate in their attempts ({}){}", wanting,
                               show_rejections(result), first_rejection(result)));
    }
    for (const auto& check : result.checks) {
        if (check.verdict != Verdict::pass && check.verdict != Verdict::skipped)
            return set(result, Verdict::inconclusive, std::nullopt, fmt::format("{}: {}", check.name, check.why));
    }
    const auto skipped =
        static_cast<std::size_t>(std::ranges::count(result.checks, Verdict::skipped, &CheckResult::verdict));
    const auto passed = result.checks.size() - skipped;
    if (passed == 0)
        return set(result, Verdict::inconclusive, Culprit::plan,
                   fmt::format("the plan has no checks {}, so nothing was decided on {} certified trials",
                               skipped > 0 ? "that this target's accounts can decide" : "at all", result.certified));
    if (skipped > 0)
        return set(result, Verdict::pass, std::nullopt,
                   fmt::format("{} of {} checks passed on {} certified trials, {} skipped for want of an account",
                               passed, result.checks.size(), result.certified, skipped));
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
target::ClockFacts facts_of(const evidence::Bundle& bundle) {
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
        case Verdict::skipped:  // of checks only
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
    skip_checks(result, plan);
    result.notices = find_notices(bundle, station, wire_baud(result.trials));
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
