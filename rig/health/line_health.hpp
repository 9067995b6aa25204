// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/health/finding.hpp"
#include "rig/time/units.hpp"
#include "rig/wire/edges.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::health {

/// The channels of one capture by role (tx, rx, marker, heartbeat).
using Traces = std::map<std::string, wire::Trace>;

/// What each channel does while nobody speaks: a UART line rests high, a marker low.
std::vector<Finding> judge_rest(const Traces& traces);

/// What was recorded while the board spoke: whether it spoke where it should, at which rate, and whether the console
/// got the same bytes. `console` is what the host received in that time; it may begin earlier and end later.
std::vector<Finding> judge_speech(const Traces& traces, std::string_view console, Baud set);

/// The usual rate at which a trace reads as characters, when there is one; it needs ten of them.
std::optional<Baud> find_baud(const wire::Trace& tx);

}  // namespace rig::health
