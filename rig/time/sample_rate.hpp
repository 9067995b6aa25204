// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <optional>
#include <string_view>

namespace rig {

/// "4 MHz", "1.5 MHz", "500 kHz", "4000000" as programs write a sample rate; nothing when it is none, no whole number
/// of Hz, or more than 10^12.
std::optional<SampleRate> parse_rate(std::string_view text);

}  // namespace rig
