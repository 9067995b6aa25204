// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/facts.hpp"

#include <string>
#include <string_view>

namespace rig::target {

/// `/proc/printk_test`: what the target says of itself through the printk_test patch or module.
struct PrintkTestFacts {
    std::string version;
    ClockFacts clocks;
};

/// Gives the facts, or throws a DutError naming the line.
PrintkTestFacts parse_printk_test(std::string_view text);

}  // namespace rig::target
