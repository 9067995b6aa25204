// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rig::cli {

/// Adds `rig completion`; the action prints the script of the whole of `app`, which must outlive it, and gives the exit
/// code, or throws rig::Error.
std::function<int()> add_completion(CLI::App& app);

}  // namespace rig::cli
