// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/facts.hpp"

#include "rig/target/text.hpp"

namespace rig::target {

std::string_view name_of(TickModel model) {
    return model == TickModel::one_per_interrupt ? "one_per_interrupt" : "catch_up";
}

std::optional<TickRate> parse_tick_rate(std::string_view kernel_config) {
    constexpr std::string_view key = "CONFIG_HZ=";
    text::Lines lines{kernel_config};
    std::string_view line;
    while (lines.next(line)) {
        if (!line.starts_with(key)) continue;
        const auto hz = text::number_of<std::uint32_t>(line.substr(key.size()));
        if (hz && *hz > 0) return TickRate{*hz};
    }
    return std::nullopt;
}

}  // namespace rig::target
