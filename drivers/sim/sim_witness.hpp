// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/board.hpp"
#include "drivers/sim/faults.hpp"
#include "drivers/sim/sim_analyzer.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/transmitter.hpp"
#include "drivers/sim/uart_line.hpp"
#include "rig/device/witness.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace rig::sim {

/// What the witness looks at.
struct WitnessedParts {
    const UartLine& tx;
    const UartLine& rx;
    const Transmitter& uart;
    Board& board;
    const SimAnalyzer& analyzer;
    const FaultBoard& faults;
};

/// Says in the virtual bench's words what the sim knows of its own timekeeping.
class SimWitness final : public device::Witness {
public:
    SimWitness(SimClock& clock, const SimParameters& parameters, WitnessedParts parts);

    device::awaitable<void> begin(device::Deadline deadline) override;
    device::awaitable<std::string> end(device::Deadline deadline) override;
    device::awaitable<std::string> describe(device::Deadline deadline) override;

private:
    struct Window {
        host_time from;
        std::uint64_t bytes = 0;
        std::size_t slips = 0;
        std::size_t holds = 0;
        std::uint64_t captures = 0;
        std::uint64_t samples = 0;
    };

    [[nodiscard]] std::uint64_t bytes() const { return parts_.tx.sent() + parts_.rx.sent(); }
    [[nodiscard]] std::uint64_t marker_edges(host_time from, host_time to) const;

    SimClock* clock_;
    const SimParameters* parameters_;
    WitnessedParts parts_;
    std::optional<Window> window_;
};

}  // namespace rig::sim
