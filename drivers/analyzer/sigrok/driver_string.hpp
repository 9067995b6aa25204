// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace drivers {

/// A libsigrok driver string taken apart: "NAME[:KEY=VALUE]…", as sigrok-cli's --driver takes it.
struct DriverString {
    std::string name;
    std::map<std::string, std::string> options;

    /// A PlanError when it is not of that form.
    static DriverString parse(std::string_view text);
};

}  // namespace drivers
