// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/page.hpp"

#include "reports/html/document.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/sections.hpp"
#include "reports/html/stylesheet.hpp"
#include "rig/error.hpp"

#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::reports {
namespace {

std::optional<plan::Plan> read_plan(const evidence::Bundle& bundle) {
    try {
        return plan::read_plan(bundle.plan());
    } catch (const Error&) {
        // The page stands without it: the sections that draw from the plan are then left out.
        return std::nullopt;
    }
}

/// A section of the page: where it is, what the contents call it, and how it is written.
struct Section {
    Literal anchor;
    std::string_view name;
    void (*write)(Writer&, const PageSource&);
};

constexpr std::array whole_run{Section{"picture", "Picture", write_picture},
                               Section{"accounts", "Accounts", write_evidence_base},
                               Section{"checks", "Checks", write_checks},
                               Section{"fits", "Cost per character", write_fits},
                               Section{"points", "Points", write_points},
                               Section{"trials", "Trials", write_trials},
                               Section{"sites", "Sites", write_sites},
                               Section{"certificate", "Certificate", write_certificate},
                               Section{"environment", "Environment", write_environment},
                               Section{"console", "Console", write_console},
                               Section{"files", "Files", write_files}};

/// A run that ended before its first trial is explained by its console, if by anything.
constexpr std::array run_without_trials{
    Section{"console", "Console", write_console}, Section{"accounts", "Accounts", write_evidence_base},
    Section{"environment", "Environment", write_environment}, Section{"files", "Files", write_files}};

std::span<const Section> sections_for(const RunView& run) {
    if (run.trials.empty()) return run_without_trials;
    return whole_run;
}

void write_contents(Writer& page, std::span<const Section> sections) {
    const auto nav = page.open("nav", {{"aria-label", "On this page"}});
    for (const auto& section : sections) {
        const auto link = page.open_link(Anchor(section.anchor));
        page.text(section.name);
    }
}

void write_body(Writer& page, const PageSource& source) {
    const auto sections = sections_for(source.run);
    write_masthead(page, source);
    write_contents(page, sections);
    const auto main = page.open("main");
    for (const auto& section : sections) section.write(page, source);
}

}  // namespace

std::string render_html(const nlohmann::ordered_json& result, const evidence::Bundle& bundle) {
    const auto run = read_run(result);
    const auto plan = read_plan(bundle);
    Writer page;
    page.literal("<!DOCTYPE html>\n");
    {
        const auto html = page.open("html", {{"lang", "en"}});
        write_head(page, fmt::format("{}: {} @ {}", name_of(run.verdict), run.plan, run.station), stylesheet());
        const auto body = page.open("body");
        write_body(page, {run, bundle, plan});
    }
    page.literal("\n");
    return std::move(page).take();
}

}  // namespace rig::reports
