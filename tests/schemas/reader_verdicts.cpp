// SPDX-License-Identifier: GPL-3.0-or-later
// reader_verdicts plan|lab FILE...: what rig's own readers say of each file, one JSON line a file:
// null where it is accepted, the sentence of the refusal where it is not. check_schemas.py compares that with the
// schemas.
#include "rig/error.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace {

void read_lab(const rig::yaml::Document& document) {
    const auto names = rig::lab::station_names(document);
    if (names.empty()) throw rig::PlanError("the file lists no station");
    for (const auto& name : names) rig::lab::read_station(document, name);
}

nlohmann::json verdict_on(std::string_view kind, const std::string& file) {
    try {
        const auto document = rig::yaml::Document::load(file);
        if (kind == "plan")
            rig::plan::read_plan(document);
        else
            read_lab(document);
        return nullptr;
    } catch (const rig::PlanError& error) {
        return error.message();
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 2) return 2;
    for (const auto* file : arguments.subspan(2)) std::cout << verdict_on(arguments[1], file).dump() << "\n";
    return 0;
}
