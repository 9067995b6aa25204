// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace rig::cli {

/// Adds `rig decode` to the command line. The action that comes back does the work and gives the exit code; it throws
/// rig::Error, and must be called only after `app` was parsed with this subcommand in it.
std::function<int()> add_decode(CLI::App& app);

}  // namespace rig::cli
