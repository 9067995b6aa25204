// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace rig::cli {

/// The lab file of a command: the one of `--lab`, else of $RIG_LAB, else lab/virtual.yaml.
std::string choose_lab(const std::string& option);

}  // namespace rig::cli
