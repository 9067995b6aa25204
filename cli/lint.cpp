// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lint.hpp"

#include "rig/error.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace rig::cli {
namespace {

bool is_lab_file(const yaml::Document& document) {
    return document.root().is_map() && yaml::Map(document.root()).find("stations").has_value();
}

std::string count(std::size_t number, std::string_view word) {
    return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

/// What a file that is right holds, in a line.
std::string describe(const yaml::Document& document) {
    if (is_lab_file(document)) {
        const auto names = lab::station_names(document);
        for (const auto& name : names) lab::read_station(document, name);
        return fmt::format("{}: {}", count(names.size(), "station"), fmt::join(names, ", "));
    }
    const auto plan = plan::read_plan(document);
    std::size_t trials = 0;
    for (const auto& one : plan.cases) trials += one.trials * one.points.size();
    return fmt::format("plan {}: {}, {}, {}", plan.name, count(plan.cases.size(), "case"), count(trials, "trial"),
                       count(plan.checks.size(), "check"));
}

int lint(const std::vector<std::string>& files) {
    std::size_t wrong = 0;
    for (const auto& file : files) {
        try {
            std::cout << fmt::format("{}: {}\n", file, describe(yaml::Document::load(file)));
        } catch (const PlanError& error) {
            std::cout << error.message() << "\n";
            ++wrong;
        }
    }
    if (wrong == 0) return 0;
    throw PlanError(fmt::format("{} of {} cannot be used", wrong, count(files.size(), "file")),
                    "the sentences above say where, and what would be right");
}

}  // namespace

std::function<int()> add_lint(CLI::App& app) {
    auto files = std::make_shared<std::vector<std::string>>();
    auto* command = app.add_subcommand("lint", "Read plans and lab files, and say what is wrong with them");
    command->add_option("files", *files, "Plans or lab files")->required()->type_name("FILE.yaml");
    command->footer("Examples:\n  rig lint testplans/*.yaml lab/*.yaml\n\nExits 4 when one of them cannot be used.");
    return [files] { return lint(*files); };
}

}  // namespace rig::cli
