// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/checks.hpp"
#include "rig/analysis/notices.hpp"
#include "rig/analysis/trial_result.hpp"
#include "rig/error.hpp"
#include "rig/evidence/bundle.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rig::analysis {

/// What a run came to. Everything in it comes from the bundle.
struct Result {
    std::string plan;
    std::string station;
    Verdict verdict = Verdict::inconclusive;
    std::optional<Culprit> culprit;
    std::string cause;
    std::string hint;                              ///< what to try next; may be empty
    std::vector<plan::Account> accounts;           ///< those that gave a figure in at least one trial
    std::map<plan::Account, std::string> sources;  ///< of these: where the figures came from
    std::map<plan::Account, std::string> missing;  ///< the others, with the reason
    std::vector<Notice> notices;                   ///< what a reader should know of the target
    unsigned attempted = 0;
    unsigned certified = 0;
    std::map<std::string, unsigned> rejected;  ///< reason → attempts
    std::vector<CheckResult> checks;
    std::vector<TrialResult> trials;  ///< every attempt, in order
    std::vector<AccountFit> fits;
    std::map<std::string, std::string> environment;  ///< what was measured, with what

    /// The exit code of the design.
    [[nodiscard]] int exit_code() const;
};

/// Analyses a bundle: a pure function of its files.
Result analyse(const evidence::Bundle& bundle);

/// The certified trial whose longest IRQ-off section (or wire time where there is none) is the longest.
const TrialResult* worst_trial(const Result& result);

}  // namespace rig::analysis
