// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/replay.hpp"

#include "cli/completion/command_line.hpp"
#include "cli/derive.hpp"
#include "rig/evidence/bundle.hpp"

#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace rig::cli {
namespace {

int replay(const std::string& folder) {
    const auto bundle = evidence::Bundle::open(folder);
    refuse_damage(bundle);
    const auto before = bundle.has(result_file) ? bundle.read(result_file) : std::string();
    const auto result = derive(bundle);
    if (!before.empty() && before != bundle.read(result_file))
        std::cerr << fmt::format(
                         "rig: {} is not what it was: another build of rig had made it, or somebody had changed it",
                         bundle.path_of(result_file).string())
                  << std::endl;
    print_outcome(bundle);
    return result.exit_code();
}

}  // namespace

std::function<int()> add_replay(CLI::App& app) {
    auto folder = std::make_shared<std::string>();
    auto* command = app.add_subcommand("replay", "Analyse a bundle again: the same result.json, byte for byte");
    command->add_option("bundle", *folder, "The bundle's folder")
        ->required()
        ->type_name(completion::placeholder::folder);
    command->footer(
        "Examples:\n  rig replay runs/2026-11-30T21-04-05Z_printk_versatilepb\n\n"
        "Exits as rig run did; 3 when a file is not what the manifest says.");
    return [folder] { return replay(*folder); };
}

}  // namespace rig::cli
