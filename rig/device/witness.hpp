// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <string>

namespace rig::device {

/// What the bench itself knows about how well it kept time: a virtual station's pacer slip and the host's scheduling
/// delay. Stations of copper have none. Used from the station's strand only.
class Witness {
public:
    virtual ~Witness() = default;
    /// Begins a window of observation.
    virtual awaitable<void> begin(Deadline deadline) = 0;
    /// Ends it; the bench's own words (one JSON object), stored verbatim.
    virtual awaitable<std::string> end(Deadline deadline) = 0;
    /// What the bench says of itself and its versions (one JSON object).
    virtual awaitable<std::string> describe(Deadline deadline) = 0;
};

}  // namespace rig::device
