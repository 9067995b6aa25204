// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace rig::reports {

enum class TableStyle { plain, colour };

/// A result (schema rig.result/1) as a terminal shows it, at most 100 columns wide: verdict and cause, accounts,
/// trials, one row for each point of each case, fits and checks. Plain has no control codes at all; colour adds SGR
/// codes and nothing else. Text from the target is made visible and cut. Throws a PlanError when the result is of
/// another schema.
std::string render_table(const nlohmann::ordered_json& result, TableStyle style);

}  // namespace rig::reports
