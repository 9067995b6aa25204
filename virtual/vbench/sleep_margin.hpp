// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

namespace vbench {

/// How long before a deadline a sleep must end so that its thread is awake in time. A sleep ends late by an amount that
/// depends on the machine (40 to 60 µs under some hypervisors, 3 µs on bare metal), so it is learnt: the margin settles
/// where nine sleeps of ten overshoot less. The rest of the time to the deadline is spun away.
class SleepMargin {
public:
    /// The longest time that is ever spun away: it bounds what the pacer costs where sleeps overshoot badly.
    static constexpr nanoseconds longest{60'000};
    static constexpr nanoseconds shortest{3'000};

    [[nodiscard]] nanoseconds now() const { return margin_; }

    /// Takes note of a sleep that ended `overshoot` after the moment it was asked to end.
    void learn(nanoseconds overshoot);

private:
    nanoseconds margin_{20'000};
};

}  // namespace vbench
