// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lab_file.hpp"

#include <cstdlib>

namespace rig::cli {

std::string choose_lab(const std::string& option) {
    if (!option.empty()) return option;
    const char* lab = std::getenv("RIG_LAB");
    return lab != nullptr && *lab != '\0' ? lab : "lab/virtual.yaml";
}

}  // namespace rig::cli
