// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_schedule.hpp"

#include <algorithm>

namespace vbench {

FrameSchedule::FrameSchedule(UartTiming timing, nanoseconds gap_bound) : timing_(timing), gap_bound_(gap_bound) {}

FrameStart FrameSchedule::begin(Instant seen, Instant at) {
    const Instant due = in_burst_ > 0 ? end() : seen;
    const nanoseconds lateness = std::max(at - due, nanoseconds(0));
    const bool starts_afresh = in_burst_ == 0 || lateness > gap_bound_;
    if (starts_afresh) {
        burst_start_ = lateness > gap_bound_ ? at : due;
        in_burst_ = 0;
    }
    const Instant start = burst_start_ + timing_.frames(in_burst_);
    ++in_burst_;
    return {.at = start, .lateness = lateness};
}

Instant FrameSchedule::end() const {
    return burst_start_ + timing_.frames(in_burst_);
}

}  // namespace vbench
