// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/board.hpp"
#include "drivers/sim/faults.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "rig/device/power.hpp"

namespace rig::sim {

/// The board's supply; switches at once.
class SimPower final : public device::Power {
public:
    SimPower(SimClock& clock, const FaultBoard& faults, Board& board)
        : clock_(&clock), faults_(&faults), board_(&board) {}

    device::awaitable<void> on(device::Deadline deadline) override;
    device::awaitable<void> off(device::Deadline deadline) override;

private:
    void check() const;

    SimClock* clock_;
    const FaultBoard* faults_;
    Board* board_;
};

}  // namespace rig::sim
