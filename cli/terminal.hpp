// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rig::cli {

/// Whether a descriptor is a terminal that rewrites a line when asked to (TERM is set, and not `dumb`).
bool is_capable_terminal(int descriptor);

/// Whether colour is welcome there: such a terminal, and no NO_COLOR in the environment (https://no-color.org).
bool shows_colour(int descriptor);

}  // namespace rig::cli
