// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/timer_list.hpp"

#include "rig/error.hpp"
#include "rig/target/text.hpp"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace rig::target {
namespace {

using text::Lines;
using text::number_of;
using text::words_of;

constexpr std::string_view file = "/proc/timer_list";

[[noreturn]] void refuse(const Lines& lines, std::string_view line, std::string_view expected) {
    throw DutError(fmt::format("{}:{}: '{}' is not {}", file, lines.number, line, expected),
                   "this kernel prints its timers as no kernel does that rig knows");
}

/// What Kconfig offers on any architecture (kernel/Kconfig.hz and the architectures' own).
constexpr std::array<std::uint32_t, 17> kernel_tick_rates{24,  32,  48,  64,  100, 128,  200,  250, 256,
                                                          300, 500, 512, 600, 900, 1000, 1024, 1200};

/// CLOCK_EVT_STATE_PERIODIC (include/linux/clockchips.h), as print_tickdevice() prints a device's state.
constexpr unsigned periodic_state = 2;

}  // namespace

std::vector<TickReading> parse_tick_readings(std::string_view text) {
    Lines lines{text};
    std::string_view line;
    std::vector<TickReading> readings;
    std::optional<std::chrono::nanoseconds> now;
    while (lines.next(line)) {
        const auto words = words_of(line);
        if (line.starts_with("now at ")) {
            const auto ns = words.size() == 4 ? number_of<std::int64_t>(words[2]) : std::nullopt;
            if (!ns || *ns < 0) refuse(lines, line, "'now at N nsecs'");
            now = std::chrono::nanoseconds{*ns};
        } else if (line.starts_with("jiffies: ")) {
            const auto jiffies = words.size() == 2 ? number_of<std::uint64_t>(words[1]) : std::nullopt;
            if (!jiffies) refuse(lines, line, "'jiffies: N'");
            // Each CPU prints them again: the first is nearest to the time above.
            if (now) readings.push_back({*now, *jiffies});
            now.reset();
        }
    }
    return readings;
}

Ticks jiffies_between(const TickReading& first, const TickReading& last) {
    constexpr std::uint64_t turn = std::uint64_t{1} << 32U;
    const auto end = last.jiffies < first.jiffies ? last.jiffies + turn : last.jiffies;
    return Ticks{static_cast<decltype(Ticks::count)>(end - first.jiffies)};
}

std::optional<TickModel> parse_tick_model(std::string_view text) {
    Lines lines{text};
    std::string_view line;
    bool of_cpu = false;
    while (lines.next(line)) {
        if (line.starts_with("Per CPU device: 0")) of_cpu = true;
        if (!of_cpu || !line.starts_with(" mode:")) continue;
        const auto words = words_of(line);
        const auto state = words.size() == 2 ? number_of<unsigned>(words[1]) : std::nullopt;
        if (!state) refuse(lines, line, "' mode: N'");
        return *state == periodic_state ? TickModel::one_per_interrupt : TickModel::catch_up;
    }
    return std::nullopt;
}

std::optional<TickRate> tick_rate_between(const TickReading& first, const TickReading& last) {
    constexpr double tolerance = 0.05;
    const double span = to_seconds(last.now - first.now);
    if (span <= 0) return std::nullopt;
    const double rate = static_cast<double>(jiffies_between(first, last).count) / span;
    for (const auto hz : kernel_tick_rates) {
        const double off = std::abs(rate / hz - 1);
        // 250 and 256, 500 and 512, 1000 and 1024 are nearer to each other than the tolerance: the nearest counts.
        bool nearest = off <= tolerance;
        for (const auto other : kernel_tick_rates) nearest = nearest && off <= std::abs(rate / other - 1);
        if (nearest) return TickRate{hz};
    }
    return std::nullopt;
}

}  // namespace rig::target
