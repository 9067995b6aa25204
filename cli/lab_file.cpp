// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lab_file.hpp"

#include "rig/error.hpp"
#include "rig/lab/station.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace rig::cli {

std::string choose_lab(const std::string& option) {
    if (!option.empty()) return option;
    const char* lab = std::getenv("RIG_LAB");
    return lab != nullptr && *lab != '\0' ? lab : "lab/virtual.yaml";
}

std::string choose_station(const yaml::Document& lab_file, const std::optional<std::string>& option) {
    const auto names = lab::station_names(lab_file);
    if (names.empty()) throw PlanError(fmt::format("{} lists no station", lab_file.name()));
    std::string name = option.value_or(names.front());
    if (name.empty()) throw PlanError("--station names no station", fmt::format("try --station {}", names.front()));
    lab::read_station(lab_file, name);  // a station that is not there is told before any --set is
    return name;
}

yaml::Document with_station_value(const yaml::Document& lab_file, const std::string& station,
                                  const yaml::Override& change) {
    return lab_file.with({fmt::format("stations.{}.{}", station, change.path), change.value});
}

}  // namespace rig::cli
