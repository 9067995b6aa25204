// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pin_trace.hpp"
#include "time.hpp"

#include <functional>
#include <string>

namespace vbench {

/// Reads the marker's edges from QEMU's log as it comes through a pipe. QEMU stamps the lines with CLOCK_REALTIME; each
/// is moved to CLOCK_MONOTONIC by the distance of the two clocks at the time of reading, which is milliseconds after
/// the event, so that a clock being slewed (at most 500 ppm) or set in between does no harm.
class PinTraceReader {
public:
    /// `fd` does not block and stays with the caller.
    PinTraceReader(int fd, unsigned pin) : fd_(fd), marker_(pin) {}

    /// Reads what is there, up to a bound, and gives each level of the marker pin that differs from the one before.
    void drain(const std::function<void(Instant, Level)>& take);

    /// Whether the guest has closed its end.
    [[nodiscard]] bool ended() const { return ended_; }

private:
    int fd_;
    bool ended_ = false;
    MarkerPin marker_;
    Level level_ = Level::low;
    std::string partial_;
};

}  // namespace vbench
