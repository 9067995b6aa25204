// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_power.hpp"

#include "rig/error.hpp"

namespace rig::sim {

device::awaitable<void> SimPower::on(device::Deadline) {
    check();
    board_->power_on(true_of(clock_->now()));
    co_return;
}

device::awaitable<void> SimPower::off(device::Deadline) {
    check();
    board_->power_off(true_of(clock_->now()));
    co_return;
}

void SimPower::check() const {
    if (faults_->holds(FaultKind::power_fails))
        throw BenchError("the power switch sim does not answer", "the fault power-fails is in force");
}

}  // namespace rig::sim
