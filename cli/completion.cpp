// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion.hpp"

#include "cli/completion/command_line.hpp"
#include "cli/completion/script.hpp"
#include "cli/lab_file.hpp"
#include "rig/error.hpp"
#include "rig/lab/station.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace rig::cli {
namespace {

struct Options {
    std::string shell;
    std::optional<std::string> stations_of;  ///< a lab file, empty for the default one
};

std::string script_for(const std::string& shell, const completion::CommandLine& line) {
    if (shell == "bash") return completion::bash_script(line);
    if (shell == "zsh") return completion::zsh_script(line);
    if (shell == "fish") return completion::fish_script(line);
    if (shell.empty()) throw PlanError("completion must be told the shell", "try rig completion bash");
    throw PlanError(fmt::format("completion does not know the shell '{}'", shell), "bash, zsh and fish are possible");
}

void print_stations(const std::string& lab) {
    for (const auto& name : lab::station_names(yaml::Document::load(choose_lab(lab)))) std::cout << name << "\n";
}

int run(const Options& options, const CLI::App& app) {
    if (options.stations_of)
        print_stations(*options.stations_of);
    else
        std::cout << script_for(options.shell, completion::command_line_of(app));
    return 0;
}

}  // namespace

std::function<int()> add_completion(CLI::App& app) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("completion", "Print the script by which a shell completes rig's command line");
    command->add_option("shell", options->shell, "The shell")->type_name("bash|zsh|fish");
    // Asked by the scripts; hidden from people.
    command->add_option("--stations", options->stations_of, "Print the names of the stations of a lab file")->group("");
    command->footer(
        "Examples:\n"
        "  source <(rig completion bash)                                  in ~/.bashrc\n"
        "  source <(rig completion zsh)                                   in ~/.zshrc, after compinit\n"
        "  rig completion fish > ~/.config/fish/completions/rig.fish");
    return [options, &app] { return run(*options, app); };
}

}  // namespace rig::cli
