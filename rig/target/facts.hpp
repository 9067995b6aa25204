// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace rig::target {

/// What a tick interrupt does to jiffies (kernel/time/tick-common.c).
enum class TickModel {
    one_per_interrupt,  ///< one jiffy for each interrupt that is delivered: ticks are lost while interrupts are off
    catch_up,           ///< all ticks that are due are counted at the next interrupt
};
std::string_view name_of(TickModel model);

/// What a target says of its clocks, by whatever file. A fact that it does not state is absent.
struct ClockFacts {
    std::optional<TickRate> tick_rate;
    std::optional<TickModel> tick_model;
    std::optional<std::chrono::nanoseconds> clock_step;  ///< smallest step of sched_clock
};

/// CONFIG_HZ out of lines of a kernel's configuration; nothing where it is not among them.
std::optional<TickRate> parse_tick_rate(std::string_view kernel_config);

}  // namespace rig::target
