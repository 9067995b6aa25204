// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/session/session.hpp"

#include <memory>

namespace rig::cli {

/// How a run says what it is doing.
enum class ProgressStyle {
    live,   ///< one line that is rewritten, on a terminal
    lines,  ///< plain lines, in a log
    json,   ///< one JSON object a line on standard output, for machines
};

/// Progress in that style; live and lines go to standard error.
std::unique_ptr<session::Observer> make_progress(ProgressStyle style);

}  // namespace rig::cli
