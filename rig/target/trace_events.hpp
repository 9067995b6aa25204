// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/irq_latency.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// IRQ-off sections out of the kernel's own trace events: preemptirq:irq_disable and irq_enable, and
/// irq:irq_handler_entry for the names of handlers (include/trace/events/preemptirq.h, irq.h). Kernels have them with
/// CONFIG_IRQSOFF_TRACER or CONFIG_PREEMPTIRQ_TRACEPOINTS.
namespace rig::target {

/// The trace clock counts in nanoseconds; the trace shows microseconds.
inline constexpr std::chrono::nanoseconds trace_clock_step = std::chrono::microseconds{1};

/// An awk program that reads tracefs' `trace` and prints, as they are, its header, its first event, and the events of
/// each section of at least `shortest`: everything comes back over the wire that is measured.
std::string section_filter(std::chrono::nanoseconds shortest);

/// The sections in what section_filter printed (or in a whole trace), in the order in which they end; a site is the
/// function that turned interrupts off, or the first handler that ran. A DutError naming the line.
EventList parse_trace(std::string_view text);

}  // namespace rig::target
