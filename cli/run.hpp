// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rig::cli {

/// Adds `rig run`; the action does the work and gives the exit code, or throws rig::Error.
std::function<int()> add_run(CLI::App& app);

}  // namespace rig::cli
