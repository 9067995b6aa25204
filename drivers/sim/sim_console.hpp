// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/uart_line.hpp"
#include "rig/device/console.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace rig::sim {

/// The host's end of the console. What the board sends while it is closed is lost to the host, not to the wire.
class SimConsole final : public device::Console {
public:
    /// `rx` is the line to the board.
    SimConsole(SimClock& clock, const FaultBoard& faults, UartLine& rx);

    device::awaitable<void> open(device::Deadline deadline) override;
    device::awaitable<std::size_t> read(std::span<std::byte> buffer) override;
    device::awaitable<void> write(std::span<const std::byte> bytes, device::Deadline deadline) override;
    void close() override;
    [[nodiscard]] std::string describe() const override { return "sim"; }

    /// A frame of the board has arrived.
    void receive(const SimFrame& frame);

private:
    enum class State { closed, open, lost };

    void check() const;

    SimClock* clock_;
    const FaultBoard* faults_;
    UartLine* rx_;
    State state_ = State::closed;
    std::string arrived_;
    device::Signal changed_;
};

}  // namespace rig::sim
