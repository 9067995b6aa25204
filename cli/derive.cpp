// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/derive.hpp"

#include "cli/terminal.hpp"
#include "reports/html/page.hpp"
#include "reports/text/table.hpp"
#include "rig/analysis/result_json.hpp"
#include "rig/error.hpp"
#include "rig/evidence/append_file.hpp"
#include "rig/evidence/manifest.hpp"

#include <iostream>
#include <unistd.h>

#include <fmt/format.h>

namespace rig::cli {
namespace {

nlohmann::ordered_json read_result(const evidence::Bundle& bundle) {
    try {
        return nlohmann::ordered_json::parse(bundle.read(result_file));
    } catch (const nlohmann::json::exception& error) {
        throw PlanError(fmt::format("{} is not a result: {}", bundle.path_of(result_file).string(), error.what()),
                        "make it again with rig replay");
    }
}

}  // namespace

analysis::Result derive(const evidence::Bundle& bundle) {
    auto result = analysis::analyse(bundle);
    std::filesystem::create_directories(bundle.path_of("derived"));
    evidence::replace_file(bundle.path_of(result_file), analysis::to_text(analysis::to_json(result)));
    write_report(bundle);
    return result;
}

std::filesystem::path write_report(const evidence::Bundle& bundle) {
    const auto path = bundle.path_of("derived/report.html");
    evidence::replace_file(path, reports::render_html(read_result(bundle), bundle));
    return path;
}

void print_outcome(const evidence::Bundle& bundle) {
    const auto style = shows_colour(STDOUT_FILENO) ? reports::TableStyle::colour : reports::TableStyle::plain;
    std::cout << reports::render_table(read_result(bundle), style)
              << fmt::format("\nreport: {}\nbundle: {}\n", bundle.path_of("derived/report.html").string(),
                             bundle.folder().string());
}

void refuse_damage(const evidence::Bundle& bundle) {
    const auto folder = bundle.folder().string();
    if (!evidence::is_sealed(bundle.folder())) {
        if (bundle.ended())
            throw BenchError(
                fmt::format("{} has no manifest.json, though its run came to its end", folder),
                "if its disk was full or rig was killed while it closed it: rig recover; else the evidence "
                "was changed after the run: take the bundle from a backup");
        std::cerr << fmt::format(
                         "rig: the run of {} was cut off: nothing vouches for its files, they are taken as they are",
                         folder)
                  << std::endl;
        return;
    }
    const auto damage = evidence::find_damage(bundle.folder());
    if (damage.empty()) return;
    const auto more = damage.size() > 1 ? fmt::format(", and {} more", damage.size() - 1) : "";
    throw BenchError(fmt::format("{}: {}{}", folder, damage.front(), more),
                     "the evidence was changed after the run; take the bundle from a backup");
}

}  // namespace rig::cli
