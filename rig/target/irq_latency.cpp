// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/irq_latency.hpp"

#include "rig/error.hpp"
#include "rig/target/text.hpp"

#include <fmt/format.h>

namespace rig::target {
namespace {

using text::Lines;
using text::number_of;
using text::words_of;

[[noreturn]] void refuse(std::string_view file, unsigned line_number, std::string_view line,
                         std::string_view expected) {
    throw DutError(fmt::format("{}:{}: '{}' is not {}", file, line_number, line, expected),
                   "the target's patch and rig's parser disagree: compare with firmware-target/README.md");
}

/// "0.024348" → 24348 µs.
std::optional<std::chrono::nanoseconds> seconds_of(std::string_view text) {
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || text.size() - dot != 7) return std::nullopt;
    const auto whole = number_of<std::uint32_t>(text.substr(0, dot));
    const auto micro = number_of<std::uint32_t>(text.substr(dot + 1));
    if (!whole || !micro) return std::nullopt;
    return std::chrono::seconds{*whole} + std::chrono::microseconds{*micro};
}

constexpr std::string_view worst_file = "/proc/irq_latency";
constexpr std::string_view events_file = "/proc/irq_latency_events";

IrqOffSection worst_row(const Lines& lines, std::string_view line, unsigned cpu) {
    const auto words = words_of(line);
    if (words.size() < 2) refuse(worst_file, lines.number, line, "a row 'seconds  site [irq]'");
    const auto duration = seconds_of(words[0]);
    if (!duration) refuse(worst_file, lines.number, line, "a row with seconds of six decimals");
    IrqOffSection row{.site = {}, .irq = {}, .cpu = cpu, .duration = *duration};
    auto last = words.size();
    if (words.size() > 2) {
        row.irq = number_of<unsigned>(words.back());
        if (row.irq) --last;
    }
    for (std::size_t i = 1; i < last; ++i) row.site += (i > 1 ? " " : "") + std::string(words[i]);
    return row;
}

IrqOffEvent event_row(const Lines& lines, std::string_view line) {
    const auto words = words_of(line);
    if (words.size() < 6) refuse(events_file, lines.number, line, "a row 'sequence cpu start_ns duration_ns site irq'");
    const auto sequence = number_of<std::uint64_t>(words[0]);
    const auto cpu = number_of<unsigned>(words[1]);
    const auto start = number_of<std::int64_t>(words[2]);
    const auto duration = number_of<std::int64_t>(words[3]);
    const auto irq = number_of<unsigned>(words.back());
    if (!sequence || !cpu || !start || !duration || (!irq && words.back() != "-"))
        refuse(events_file, lines.number, line, "a row 'sequence cpu start_ns duration_ns site irq'");
    IrqOffEvent event;
    event.sequence = *sequence;
    event.start = target_time{std::chrono::nanoseconds{*start}};
    event.section.cpu = *cpu;
    event.section.duration = std::chrono::nanoseconds{*duration};
    event.section.irq = irq;
    for (std::size_t i = 4; i + 1 < words.size(); ++i) event.section.site += (i > 4 ? " " : "") + std::string(words[i]);
    return event;
}

}  // namespace

WorstList parse_worst_list(std::string_view text) {
    constexpr std::string_view title = "irq latency worst ";
    constexpr std::string_view filter = "filter: ";
    Lines lines{text};
    std::string_view line;
    WorstList list;
    std::optional<unsigned> cpu;
    while (lines.next(line)) {
        if (line.starts_with(title)) {
            const auto at = line.find(" @ CPU ");
            cpu = at == std::string_view::npos ? std::nullopt : number_of<unsigned>(line.substr(at + 7));
            if (!cpu) refuse(worst_file, lines.number, line, "a title 'irq latency worst 20 @ CPU N'");
        } else if (line.starts_with(filter)) {
            const auto value = number_of<std::uint64_t>(line.substr(filter.size()));
            if (!value) refuse(worst_file, lines.number, line, "'filter: N'");
            list.filter_us = *value;
        } else if (!line.empty()) {
            if (!cpu) refuse(worst_file, lines.number, line, "a title 'irq latency worst 20 @ CPU N'");
            list.rows.push_back(worst_row(lines, line, *cpu));
        }
    }
    if (!cpu) throw DutError(fmt::format("{} is empty", worst_file), "is the irq_latency patch in this kernel?");
    return list;
}

std::optional<std::uint64_t> EventList::number(const std::string& key) const {
    const auto fact = facts.find(key);
    if (fact == facts.end()) return std::nullopt;
    return number_of<std::uint64_t>(fact->second);
}

EventList parse_events(std::string_view text) {
    constexpr std::string_view title = "# irq_latency_events ";
    Lines lines{text};
    std::string_view line;
    if (!lines.next(line) || !line.starts_with(title))
        throw DutError(fmt::format("{} does not begin with '{}1'", events_file, title),
                       "is the irq_latency patch in this kernel?");
    if (line.substr(title.size()) != "1") refuse(events_file, 1, line, "a version that this rig reads (1)");
    EventList list;
    while (lines.next(line)) {
        if (line.starts_with("# ")) {
            const auto colon = line.find(": ");
            if (colon != std::string_view::npos) list.facts.emplace(line.substr(2, colon - 2), line.substr(colon + 2));
        } else if (!line.empty()) {
            list.events.push_back(event_row(lines, line));
        }
    }
    return list;
}

}  // namespace rig::target
