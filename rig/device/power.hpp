// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

namespace rig::device {

/// The board's supply. Used from the station's strand only; each call throws a BenchError when the switch fails.
class Power {
public:
    virtual ~Power() = default;
    virtual awaitable<void> on(Deadline deadline) = 0;
    virtual awaitable<void> off(Deadline deadline) = 0;
};

}  // namespace rig::device
