// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/recover.hpp"

#include "cli/completion/command_line.hpp"
#include "rig/evidence/recover.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace rig::cli {
namespace {

void recover(const std::string& folder) {
    const auto recovery = evidence::recover(folder);
    if (recovery.outcome == evidence::Recovery::Outcome::was_whole) {
        std::cout << fmt::format("{}: is whole, {} trials\n", folder, recovery.trials);
        return;
    }
    for (const auto& note : recovery.notes) std::cout << fmt::format("{}: {}\n", folder, note);
    std::cout << fmt::format("{}: closed, {} trials; rig replay analyses it\n", folder, recovery.trials);
}

}  // namespace

std::function<int()> add_recover(CLI::App& app) {
    auto folders = std::make_shared<std::vector<std::string>>();
    auto* command = app.add_subcommand("recover", "Close the bundle of a run that was killed, and keep what had come");
    command->add_option("bundles", *folders, "The bundles' folders")
        ->required()
        ->type_name(completion::placeholder::folder);
    command->footer(
        "Examples:\n  rig recover runs/2026-11-30T21-04-05Z_printk_versatilepb\n  rig recover runs/*\n\n"
        "A bundle that is whole is left as it is; one whose run still goes on is refused (exit code 3).");
    return [folders] {
        for (const auto& folder : *folders) recover(folder);
        return 0;
    };
}

}  // namespace rig::cli
