// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rig::target {

/// What a tick interrupt does to jiffies (kernel/time/tick-common.c).
enum class TickModel {
    one_per_interrupt,  ///< one jiffy for each interrupt that is delivered: ticks are lost while interrupts are off
    catch_up,           ///< all ticks that are due are counted at the next interrupt
};
std::string_view name_of(TickModel model);

/// `/proc/printk_test`: what the target says of its own clocks. A fact that it does not state is absent.
struct PrintkTestFacts {
    std::string version;
    std::optional<TickRate> tick_rate;
    std::optional<TickModel> tick_model;
    std::optional<std::chrono::nanoseconds> clock_step;  ///< smallest step of sched_clock
};

/// Gives the facts, or throws a DutError naming the line.
PrintkTestFacts parse_printk_test(std::string_view text);

}  // namespace rig::target
