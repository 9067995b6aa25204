// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/yaml/document.hpp"

#include <optional>
#include <string>

namespace rig::cli {

/// The lab file of a command: the one of `--lab`, else of $RIG_LAB, else lab/virtual.yaml.
std::string choose_lab(const std::string& option);

/// The station that --station names, or the lab file's first; a PlanError when there is no such.
std::string choose_station(const yaml::Document& lab_file, const std::optional<std::string>& option);

/// The lab file with one value of a station put in place: what --set asks for.
yaml::Document with_station_value(const yaml::Document& lab_file, const std::string& station,
                                  const yaml::Override& change);

}  // namespace rig::cli
