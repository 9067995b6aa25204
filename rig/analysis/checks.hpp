// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/figures.hpp"
#include "rig/analysis/trial_result.hpp"
#include "rig/plan/plan.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rig::analysis {

/// Skipped are checks only: those that the plan lets go where the target has not their account.
enum class Verdict { pass, fail, inconclusive, error, skipped };
std::string_view name_of(Verdict verdict);

/// What became of one check of the plan.
struct CheckResult {
    std::string name;
    std::string kind;  ///< agree, model, fit, limit
    Verdict verdict = Verdict::inconclusive;
    std::optional<Figure> figure;
    std::string unit;   ///< of the figure
    std::string limit;  ///< as the plan states it
    std::string why;    ///< one sentence with the numbers
};

/// A straight line of an account over the frames of the record, in one case.
struct AccountFit {
    std::string of_case;
    plan::Account of = plan::Account::irq_off;
    LineFit line;  ///< slope in seconds per frame, intercept in seconds
};

/// The figure of a duration account in a trial; none when that account gave none.
std::optional<Figure> figure_of(const TrialResult& trial, plan::Account account);

/// Every line that can be fitted: an account and a case whose certified trials have records of three lengths or more.
std::vector<AccountFit> fit_accounts(std::span<const TrialResult> trials, const plan::Plan& plan);

/// Decides every check of the plan from the certified trials.
std::vector<CheckResult> decide_checks(std::span<const TrialResult> trials, std::span<const AccountFit> fits,
                                       const plan::Plan& plan);

}  // namespace rig::analysis
