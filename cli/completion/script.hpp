// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/completion/command_line.hpp"

#include <string>
#include <string_view>

namespace rig::cli::completion {

/// The script that a shell sources to complete this command line. Names of stations are asked of the program at the
/// moment of completion, by `completion --stations LAB`; nothing that a lab file says is run or expanded.
std::string bash_script(const CommandLine& line);
std::string zsh_script(const CommandLine& line);
std::string fish_script(const CommandLine& line);

/// `text` with every `mark` replaced.
std::string replaced(std::string text, std::string_view mark, std::string_view by);

}  // namespace rig::cli::completion
