// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the irq_latency patch reports (firmware-target/README.md has the grammar and recorded samples).
namespace rig::target {

/// A section of code that ran with interrupts off.
struct IrqOffSection {
    std::string site;             ///< function that turned them off, or the name of an interrupt's handler
    std::optional<unsigned> irq;  ///< the interrupt's number, for a handler
    unsigned cpu = 0;
    std::chrono::nanoseconds duration{0};
};

/// `/proc/irq_latency`: the worst sections of each CPU, worst first, in the layout of the 2007 report.
struct WorstList {
    std::uint64_t filter_us = 0;
    std::vector<IrqOffSection> rows;  ///< duration to the microsecond
};

/// A PlanError-free parser: gives the list, or throws a DutError saying which line is not as the patch prints it.
WorstList parse_worst_list(std::string_view text);

struct IrqOffEvent {
    std::uint64_t sequence = 0;
    target_time start;
    IrqOffSection section;
};

/// `/proc/irq_latency_events`: the last sections in order, to the nanosecond of sched_clock.
struct EventList {
    std::map<std::string, std::string> facts;  ///< the header's `# key: value` lines
    std::vector<IrqOffEvent> events;
    /// From when on no section is missing, where the target says so; where it does not, from the first one's start.
    std::optional<target_time> complete_from{};

    /// A header fact that is a whole number, where it is there.
    [[nodiscard]] std::optional<std::uint64_t> number(const std::string& key) const;
};

/// Gives the events, or throws a DutError naming the line.
EventList parse_events(std::string_view text);

}  // namespace rig::target
