// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

namespace vbench {

/// When one frame begins on the wire, and how late the pacer was for it.
struct FrameStart {
    Instant at;
    /// How long the byte had been due when the pacer came to it: the slip. Never negative.
    nanoseconds lateness;
};

/// Decides where the frames of one direction of a wire begin; pure arithmetic on the moments it is given.
///
/// A byte that is already waiting when a frame ends follows back to back: its frame starts at the nominal end of the
/// frame before, counted from the first frame of the burst, even when the pacer looked a little later. A UART's FIFO
/// rides out such a moment, and the bytes in its pipe are this UART's FIFO. If the pacer was later than the
/// `gap_bound`, that FIFO would have run dry: the frame starts late, and the wire shows a true gap.
class FrameSchedule {
public:
    FrameSchedule(UartTiming timing, nanoseconds gap_bound);

    /// The next byte's frame. `seen` is when the pacer first saw the byte waiting, `at` (not before `seen`) is now.
    /// With the wire idle the byte is due at `seen`; otherwise at the end of the frame before.
    FrameStart begin(Instant seen, Instant at);

    /// The pacer looked after a frame's end and no byte was waiting: the next frame follows nothing.
    void rest() { in_burst_ = 0; }

    /// The end of the stop bit of the frame begun last.
    [[nodiscard]] Instant end() const;

private:
    UartTiming timing_;
    nanoseconds gap_bound_;
    Instant burst_start_{};
    std::int64_t in_burst_ = 0;
};

}  // namespace vbench
