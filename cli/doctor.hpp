// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rig::cli {

/// Adds `rig doctor`; what runs it.
std::function<int()> add_doctor(CLI::App& app);

}  // namespace rig::cli
