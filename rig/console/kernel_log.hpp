// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Kernel log records in console bytes: from the console's log or decoded from the wire, it is the same text.
namespace rig::console {

/// One kernel log record as printed: prefix + text + line ending. `begin` and `end` are offsets into the bytes
/// searched.
struct Record {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<target_time> time;  ///< the printk time, where the line has one
    std::string text;                 ///< without prefix and line ending
};

/// The first record at or after `from` whose text begins with `start`. The prefix may hold a log level, a time of 3 to
/// 9 decimals and a caller (kernel/printk/printk.c, print_prefix()). None when its line ending has not come.
std::optional<Record> find_record(std::string_view bytes, std::string_view start, std::size_t from = 0);

/// "interval=24573237, jiffies=1": what the stimulus measured around the printk before it.
struct IntervalRecord {
    Record record;
    std::chrono::nanoseconds interval{0};  ///< by the target's sched_clock
    Ticks jiffies;
};

/// The first interval record at or after `from` that begins before `before`.
std::optional<IntervalRecord> find_interval(std::string_view bytes, std::size_t from,
                                            std::size_t before = std::string_view::npos);

/// A line by which a kernel says that it died ("Kernel panic - not syncing: …", "Internal error: Oops …").
/// A kernel that warns or complains of a stall lives on, and is not meant.
std::optional<std::string> find_death(std::string_view bytes, std::size_t from = 0);

/// Whether a kernel begins to boot at or after `from`: its banner, by the time of its first line or by arm's own line.
bool finds_boot(std::string_view bytes, std::size_t from);

}  // namespace rig::console
