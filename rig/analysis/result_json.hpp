// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/analysis.hpp"

#include <nlohmann/json.hpp>

namespace rig::analysis {

/// result.json, schema rig.result/1: field names are fixed, and every measured figure is {"value", "u"} with the unit
/// in the field's name or beside it. Equal results give equal bytes.
nlohmann::ordered_json to_json(const Result& result);

/// The text of the file.
std::string to_text(const nlohmann::ordered_json& result);

}  // namespace rig::analysis
