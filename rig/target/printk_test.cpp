// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/printk_test.hpp"

#include "rig/error.hpp"

#include <charconv>
#include <map>

#include <fmt/format.h>

namespace rig::target {
namespace {

std::map<std::string, std::string> facts_of(std::string_view text) {
    std::map<std::string, std::string> facts;
    unsigned number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        ++number;
        if (line.empty()) continue;
        const auto colon = line.find(": ");
        if (colon == std::string_view::npos)
            throw DutError(fmt::format("/proc/printk_test:{}: '{}' is not 'key: value'", number, line),
                           "is the printk_test patch in this kernel?");
        facts.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
    return facts;
}

std::optional<std::int64_t> number_in(const std::map<std::string, std::string>& facts, const std::string& key) {
    const auto fact = facts.find(key);
    if (fact == facts.end()) return std::nullopt;
    std::int64_t value = 0;
    const auto& text = fact->second;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size() || value <= 0)
        throw DutError(fmt::format("/proc/printk_test: {} is '{}', not a whole number above zero", key, text));
    return value;
}

}  // namespace

PrintkTestFacts parse_printk_test(std::string_view text) {
    const auto raw = facts_of(text);
    PrintkTestFacts facts;
    if (const auto version = raw.find("version"); version != raw.end()) facts.version = version->second;
    if (facts.version.empty())
        throw DutError("/proc/printk_test states no version", "is the printk_test patch in this kernel?");
    if (const auto hz = number_in(raw, "hz")) facts.clocks.tick_rate = TickRate{static_cast<std::uint32_t>(*hz)};
    if (const auto step = number_in(raw, "sched_clock_step_ns"))
        facts.clocks.clock_step = std::chrono::nanoseconds{*step};
    if (const auto model = raw.find("tick_model"); model != raw.end()) {
        if (model->second == "one_per_interrupt")
            facts.clocks.tick_model = TickModel::one_per_interrupt;
        else if (model->second == "catch_up")
            facts.clocks.tick_model = TickModel::catch_up;
        else
            throw DutError(fmt::format("/proc/printk_test: tick_model is '{}'", model->second),
                           "known: one_per_interrupt, catch_up");
    }
    return facts;
}

}  // namespace rig::target
