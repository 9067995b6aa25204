// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/plan/plan.hpp"
#include "rig/time/units.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace rig::engine {

/// What a command on the target prints, and the file in the bundle that keeps it.
struct TargetOutput {
    std::string command;
    std::string name;  ///< without folder and ".txt"
};

/// How one account of the target is found, set up, armed around a stimulus and read, all in the words of a POSIX shell.
/// An empty command is none.
struct TargetAccount {
    plan::TargetFeature feature;
    std::string set_up{};                 ///< once, before the first trial; the account is not there where it fails
    std::chrono::milliseconds settle{0};  ///< from then to the look
    TargetOutput look;                    ///< prints something where the target has it
    std::string reset{};                  ///< before each trial
    std::string arm{};                    ///< in the stimulus' own line, before it
    std::string disarm{};                 ///< behind it
    std::vector<TargetOutput> collect{};  ///< after each trial
    std::string leave{};                  ///< puts back what set_up changed
};

/// Every account that rig knows, in the order in which they are armed: the last one is next to the stimulus.
std::vector<TargetAccount> target_accounts(Baud baud);

/// What every Linux says of itself, as far as it does: read once before the first trial.
std::vector<TargetOutput> general_outputs();

}  // namespace rig::engine
