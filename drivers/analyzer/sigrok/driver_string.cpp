// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/analyzer/sigrok/driver_string.hpp"

#include "rig/error.hpp"

#include <fmt/format.h>

namespace drivers {

DriverString DriverString::parse(std::string_view text) {
    DriverString parsed;
    auto rest = text;
    const auto take = [&rest] {
        const auto colon = rest.find(':');
        const auto part = rest.substr(0, colon);
        rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
        return part;
    };
    parsed.name = take();
    while (!rest.empty()) {
        const auto option = take();
        const auto equals = option.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw rig::PlanError(fmt::format("analyzer '{}': '{}' is not KEY=VALUE", text, option),
                                 "try beaglelogic:conn=tcp/127.0.0.1/5555");
        parsed.options.emplace(option.substr(0, equals), option.substr(equals + 1));
    }
    if (parsed.name.empty()) throw rig::PlanError(fmt::format("analyzer '{}' names no driver", text), "try fx2lafw");
    return parsed;
}

}  // namespace drivers
