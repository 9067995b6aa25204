// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/report.hpp"

#include "cli/completion/command_line.hpp"
#include "cli/derive.hpp"
#include "rig/evidence/bundle.hpp"

#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace rig::cli {

std::function<int()> add_report(CLI::App& app) {
    auto folder = std::make_shared<std::string>();
    auto* command = app.add_subcommand("report", "Make report.html of a bundle's result.json again");
    command->add_option("bundle", *folder, "The bundle's folder")
        ->required()
        ->type_name(completion::placeholder::folder);
    command->footer("Examples:\n  rig report runs/2026-11-30T21-04-05Z_printk_versatilepb\n");
    return [folder] {
        const auto bundle = evidence::Bundle::open(*folder);
        refuse_damage(bundle);
        std::cout << write_report(bundle).string() << "\n";
        return 0;
    };
}

}  // namespace rig::cli
