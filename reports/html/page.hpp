// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/evidence/bundle.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace rig::reports {

/// The report of a run as one self-contained HTML page: no script, no request to anywhere, and nothing from the target
/// as markup. A pure function of a result (schema rig.result/1) and its bundle: the same input gives the same bytes.
/// What the bundle lacks (a capture, the manifest, the plan) is said on the page. Throws a PlanError when the result is
/// of another schema.
std::string render_html(const nlohmann::ordered_json& result, const evidence::Bundle& bundle);

}  // namespace rig::reports
