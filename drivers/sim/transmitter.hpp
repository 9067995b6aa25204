// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "drivers/sim/sim_parameters.hpp"
#include "drivers/sim/uart_line.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace rig::sim {

/// The capture that runs, as the faults that strike in it count it.
struct CaptureContext {
    std::uint64_t number = 0;  ///< of the newest capture, from 1
    bool running = false;
    true_time start{};  ///< of its first sample
};

/// The bench was late: with a frame (a slip), or in running the board (a hold).
struct Delay {
    true_time at;  ///< when the frame could have begun
    picoseconds length;
    std::optional<picoseconds> since_capture;
};

/// Where a run of bytes went on the wire.
struct Burst {
    true_time start;    ///< falling edge of the first start bit
    true_time end;      ///< end of the last stop bit
    true_time in_fifo;  ///< when the last byte was in the UART's FIFO
};

/// The transmitting half of the board's UART: FIFO, frame jitter and the faults that strike at a byte.
class Transmitter {
public:
    Transmitter(UartLine& line, const FaultBoard& faults, const SimParameters& parameters);

    /// The kernel prints and waits: `bytes` go out before what the terminal still has queued behind the FIFO. Nothing
    /// when the board hangs on the way.
    std::optional<Burst> print_polled(std::string_view bytes, true_time at);
    /// The terminal's output: queued behind all else.
    void print_queued(std::string_view bytes, true_time at);

    /// A capture begins; its bytes count from 1 at `start`.
    void capture_started(std::uint64_t number, true_time start);
    void capture_ended() { capture_.running = false; }
    [[nodiscard]] const CaptureContext& capture() const { return capture_; }

    /// The board's power comes or goes at `at`: whatever was still to be sent is not.
    void reset(true_time at);

    /// All slips so far, in order.
    [[nodiscard]] const std::vector<Delay>& slips() const { return slips_; }

    /// All holds of the board so far, in order: each was over when the frame it was set for could begin.
    [[nodiscard]] const std::vector<Delay>& holds() const { return holds_; }

private:
    std::optional<SimFrame> put(std::uint8_t byte, true_time ready);
    bool count_in_capture(true_time start);
    [[nodiscard]] Fate fate_here() const;
    picoseconds lateness(true_time start);
    void note_hold(true_time start);
    picoseconds jitter();

    UartLine* line_;
    const FaultBoard* faults_;
    const SimParameters* parameters_;
    std::mt19937_64 random_;
    CaptureContext capture_;
    std::uint64_t bytes_in_capture_ = 0;
    bool in_capture_ = false;  // whether the byte at hand counts in the capture
    bool hung_ = false;
    std::vector<Delay> slips_;
    std::vector<Delay> holds_;
};

}  // namespace rig::sim
