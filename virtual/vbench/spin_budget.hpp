// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

namespace vbench {

/// Bounds how much of a processor the pacer spins away. A real-time thread that never sleeps gets stopped by the kernel
/// for 50 ms of every second (sched_rt_runtime_us), which would tear a hole into the wire. The budget covers the
/// longest record whole and comes back at half the pace of time, so that a wire busy for seconds costs half a processor
/// at most; once it is spent, frames are waited for asleep and begin some tens of microseconds late, which is reported
/// as the slip it is.
class SpinBudget {
public:
    static constexpr std::chrono::milliseconds capacity{250};

    /// What may be spun away at this moment. Moments must not go back.
    nanoseconds available(Instant at);

    /// Takes note of time spun away.
    void spend(nanoseconds time);

private:
    nanoseconds left_ = capacity;
    Instant counted_{};
};

}  // namespace vbench
