// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/health/finding.hpp"
#include "rig/lab/station.hpp"

#include <filesystem>
#include <vector>

namespace drivers {

/// Where this host says what `judge_host` looks at; another root in tests.
struct HostPaths {
    std::filesystem::path proc = "/proc";
    std::vector<std::filesystem::path> firmware{"/usr/share/sigrok-firmware", "/usr/local/share/sigrok-firmware"};
};

/// What of this host could stand in a station's way: programs that take serial adapters for modems or Braille displays,
/// firmware that the analyzer wants, who holds the console's port.
std::vector<rig::health::Finding> judge_host(const rig::lab::Station& station, const HostPaths& paths = {});

}  // namespace drivers
