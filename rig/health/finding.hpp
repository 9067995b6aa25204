// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// What `rig doctor` finds of a station: pure judgements of what was looked at.
namespace rig::health {

enum class Mark { good, doubtful, bad };

/// One thing that was looked at.
struct Finding {
    Mark mark = Mark::good;
    std::string about;  ///< "console", "analyzer", "channel tx", …
    std::string what;   ///< one sentence
    std::string hint;   ///< what to try; may be empty
};

}  // namespace rig::health
