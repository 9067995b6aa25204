// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// rig as a user runs it, on a virtual station: a process of its own, and what it left.
namespace rig::tests {

struct Outcome {
    int exit_code = -1;
    std::string output;  ///< both streams
};

/// Runs a command line without a terminal.
Outcome shell(const std::string& command);

/// `text` as one word of a shell's command line.
std::string quoted(const std::string& text);

/// A run of rig in a folder of its own.
struct StationRun {
    Folder folder;
    Outcome outcome;
    std::filesystem::path bundle;
    nlohmann::json result;
};

/// `rig run` with these arguments: a plan and options, or options only and then a small plan of three syncs. `before`
/// is what the shell does first.
std::unique_ptr<StationRun> rig_run(const std::string& arguments, const std::string& before = "");

/// The option that puts one fault into the bench.
std::string fault(const std::string& text);

/// What the rig does must not depend on how busy the host of the test is: a trial that was held up stays certified
/// with these options.
extern const std::string busy_host;

/// Every attempt of every trial.
std::vector<nlohmann::json> trials_of(const nlohmann::json& result);

/// The names of a trial's certificate lines that are not ok.
std::vector<std::string> red_lines(const nlohmann::json& trial);

}  // namespace rig::tests
