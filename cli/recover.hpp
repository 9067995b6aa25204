// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rig::cli {

/// Adds `rig recover`; what runs it.
std::function<int()> add_recover(CLI::App& app);

}  // namespace rig::cli
