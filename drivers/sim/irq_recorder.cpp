// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/irq_recorder.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace rig::sim {
namespace {

constexpr std::uint64_t highest_filter_us = 4'294'967;  // what fits the patch's 32 bits of nanoseconds

}  // namespace

void IrqRecorder::record(target::IrqOffSection section, target_time start) {
    if (section.duration < std::chrono::microseconds{filter_us_}) return;
    // Behind its equals, so that the list does not depend on how it is sorted.
    const auto place =
        std::ranges::upper_bound(worst_, section.duration, std::greater{}, &target::IrqOffSection::duration);
    if (worst_.size() < worst_kept || place != worst_.end()) worst_.insert(place, section);
    if (worst_.size() > worst_kept) worst_.pop_back();

    events_.push_back({sequence_++, start, std::move(section)});
    if (events_.size() > events_kept) {
        events_.pop_front();
        ++dropped_;
    }
}

bool IrqRecorder::command(std::string_view text) {
    constexpr std::string_view filter = "filter ";
    if (text == "reset") {
        worst_.clear();
        events_.clear();
        dropped_ = 0;
        return true;
    }
    if (!text.starts_with(filter)) return false;
    text.remove_prefix(filter.size());
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value > highest_filter_us) return false;
    filter_us_ = value;
    return true;
}

std::string IrqRecorder::worst_file() const {
    std::string text = fmt::format("irq latency worst {} @ CPU 0\nfilter: {}\n", worst_kept, filter_us_);
    for (const auto& row : worst_) {
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(row.duration).count();
        text += fmt::format("{:5}.{:06}  {}", us / 1'000'000, us % 1'000'000, row.site);
        text += row.irq ? fmt::format("  {}\n", *row.irq) : "\n";
    }
    return text;
}

std::string IrqRecorder::events_file() const {
    std::string text = fmt::format(
        "# irq_latency_events 1\n# filter_us: {}\n# dropped: {}\n# clock: sched_clock\n"
        "# clock_step_ns: {}\n# cost_per_section_ns: 0\n",
        filter_us_, dropped_, clock_step_.count());
    for (const auto& event : events_) {
        text += fmt::format("{} {} {} {} {} ", event.sequence, event.section.cpu,
                            event.start.time_since_epoch().count(), event.section.duration.count(), event.section.site);
        text += event.section.irq ? fmt::format("{}\n", *event.section.irq) : "-\n";
    }
    return text;
}

}  // namespace rig::sim
