// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/page.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/html/document.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/sections.hpp"
#include "reports/html/stylesheet.hpp"
#include "rig/error.hpp"

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

void write_contents(Writer& page) {
    struct Entry {
        Literal anchor;
        std::string_view name;
    };
    const auto nav = page.open("nav", {{"aria-label", "On this page"}});
    for (const auto& entry : std::array{Entry{"picture", "Worst trial"}, Entry{"accounts", "Accounts"},
                                        Entry{"checks", "Checks"}, Entry{"fits", "Cost per character"},
                                        Entry{"points", "Points"}, Entry{"trials", "Trials"},
                                        Entry{"sites", "Sites"}, Entry{"certificate", "Certificate"},
                                        Entry{"environment", "Environment"}, Entry{"console", "Console"},
                                        Entry{"files", "Files"}}) {
        const auto link = page.open_link(Anchor(entry.anchor));
        page.text(entry.name);
    }
}

void write_body(Writer& page, const PageSource& source) {
    write_masthead(page, source);
    write_contents(page);
    const auto main = page.open("main");
    write_picture(page, source);
    write_evidence_base(page, source);
    write_checks(page, source);
    write_fits(page, source);
    write_points(page, source);
    write_trials(page, source);
    write_sites(page, source);
    write_certificate(page, source);
    write_environment(page, source);
    write_console(page, source);
    write_files(page, source);
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
