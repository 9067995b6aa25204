// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

namespace vbench {

/// How long before a deadline a sleep must end so that its thread is awake in time; the rest of the time is spun away.
///
/// A sleep ends late by an amount that depends on the machine (3 µs on bare metal, 50 to 200 µs in a busy virtual one),
/// so it is learnt: the margin settles where 99 sleeps of 100 overshoot less. Where that is longer than a frame, a
/// burst is spun through from its first byte to its last, which costs one processor for as long as the wire is busy;
/// nothing shorter keeps the pace there. The margin then sinks slowly, so that it is tried again whether sleeps have
/// become better.
class SleepMargin {
public:
    static constexpr nanoseconds longest{150'000};
    static constexpr nanoseconds shortest{3'000};

    [[nodiscard]] nanoseconds now() const { return margin_; }

    /// Takes note of a sleep that ended `overshoot` after the moment it was asked to end.
    void learn(nanoseconds overshoot);

    /// Takes note of a wait too short to sleep in.
    void relax();

private:
    nanoseconds margin_{20'000};
};

}  // namespace vbench
