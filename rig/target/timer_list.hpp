// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/facts.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What any kernel with /proc/timer_list tells of its ticks (kernel/time/timer_list.c). Root only.
namespace rig::target {

/// What grep finds one reading by: the time and the jiffies of that moment.
inline constexpr std::string_view tick_reading_patterns = "-e '^now' -e '^jif'";
/// And the tick devices.
inline constexpr std::string_view tick_device_patterns = "-e '^Per CPU' -e '^ mode'";

/// One reading of `now at … nsecs` and `jiffies: …`. Both go on whether or not interrupts come: the one does, the
/// other does so only with the ticks.
struct TickReading {
    std::chrono::nanoseconds now{0};  ///< ktime_get()
    std::uint64_t jiffies = 0;
};

/// The jiffies from one reading to a later one; a 32-bit counter wraps five minutes after boot.
Ticks jiffies_between(const TickReading& first, const TickReading& last);

/// Every reading in `text`, in order. A DutError naming the line when it is not as the kernel prints it. A kernel
/// without CONFIG_TICK_ONESHOT prints no jiffies, and so gives no reading.
std::vector<TickReading> parse_tick_readings(std::string_view text);

/// The tick model of the first CPU's tick device; nothing where none is listed. A periodic device counts one for each
/// interrupt that comes; any other is programmed for each tick, and counts all that were due.
std::optional<TickModel> parse_tick_model(std::string_view text);

/// HZ by two readings with idle time between them: the one of the rates that kernels are built with, when the ratio
/// is within 5 % of it. Nothing otherwise.
std::optional<TickRate> tick_rate_between(const TickReading& first, const TickReading& last);

}  // namespace rig::target
