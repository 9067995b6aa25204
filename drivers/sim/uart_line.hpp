// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/level_trace.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/true_time.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace rig::sim {

/// What becomes of a frame at the receiver.
enum class Fate {
    received,
    lost,              ///< on the wire, never received
    garbage,           ///< on the wire without its stop bit; the receiver drops it
    line_breaks_here,  ///< the receiver's line is lost in its place
};

/// One character on the wire, 8N1.
struct SimFrame {
    true_time start;  ///< falling edge of the start bit
    true_time end;    ///< end of the stop bit
    std::uint8_t value = 0;
    Fate fate = Fate::received;
};

/// Whole picoseconds of one bit at a baud that is off by `error`: the sim's bit time is exactly this.
picoseconds bit_time(Baud baud, RateError error);

/// One direction of a UART's wire. Frames are put on it ahead of time, the receiver gets each when its stop bit ends.
class UartLine {
public:
    using Receiver = std::function<void(const SimFrame&)>;

    /// `latency` lies between the end of a stop bit and the receiver's call.
    UartLine(SimClock& clock, picoseconds bit, std::chrono::nanoseconds latency, Receiver receiver);

    /// Puts a frame on the wire as soon as the line is free, not before `ready`, and `late` after that.
    SimFrame send(std::uint8_t value, true_time ready, picoseconds late = picoseconds{0}, Fate fate = Fate::received);
    /// Takes the frames that end after `at` off the wire again, but for the first `keep` of them and the one that is
    /// being sent; gives their bytes.
    std::string take_back(true_time at, unsigned keep);
    /// The sender loses its power: what is on the wire after `at` never happens.
    void cut(true_time at);

    [[nodiscard]] picoseconds bit() const { return bit_; }
    [[nodiscard]] picoseconds frame() const { return 10 * bit_; }
    /// End of the last frame on the wire.
    [[nodiscard]] true_time free_from() const { return free_from_; }
    /// Frames that are not at the receiver yet, in order.
    [[nodiscard]] const std::deque<SimFrame>& in_flight() const { return in_flight_; }
    /// Frames put on the wire so far.
    [[nodiscard]] std::uint64_t sent() const { return sent_; }
    [[nodiscard]] LevelTrace& trace() { return trace_; }

private:
    void draw(const SimFrame& frame);
    void await_next();
    void deliver();

    SimClock* clock_;
    picoseconds bit_;
    std::chrono::nanoseconds latency_;
    Receiver receiver_;
    LevelTrace trace_{wire::Level::high};
    std::deque<SimFrame> in_flight_;
    true_time free_from_{};
    std::uint64_t sent_ = 0;
    Event next_;
};

}  // namespace rig::sim
