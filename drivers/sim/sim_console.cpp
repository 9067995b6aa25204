// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_console.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cstring>

namespace rig::sim {

SimConsole::SimConsole(SimClock& clock, const FaultBoard& faults, UartLine& rx)
    : clock_(&clock), faults_(&faults), rx_(&rx) {}

device::awaitable<void> SimConsole::open(device::Deadline) {
    if (faults_->holds(FaultKind::console_missing))
        throw BenchError("the console sim is missing", "the fault console-missing is in force");
    if (state_ == State::open) throw BenchError("the console sim is busy", "it is open already");
    state_ = State::open;
    arrived_.clear();
    co_return;
}

device::awaitable<std::size_t> SimConsole::read(std::span<std::byte> buffer) {
    while (state_ == State::open && arrived_.empty()) co_await changed_.wait(*clock_, host_time::max());
    if (arrived_.empty() && state_ == State::closed) co_return 0;
    if (arrived_.empty()) check();
    const auto count = std::min(buffer.size(), arrived_.size());
    std::memcpy(buffer.data(), arrived_.data(), count);
    arrived_.erase(0, count);
    co_return count;
}

device::awaitable<void> SimConsole::write(std::span<const std::byte> bytes, device::Deadline) {
    check();
    const auto now = true_of(clock_->now());
    for (const auto byte : bytes) rx_->send(std::to_integer<std::uint8_t>(byte), now);
    co_return;
}

void SimConsole::close() {
    if (state_ == State::open) state_ = State::closed;
    changed_.notify();
}

void SimConsole::receive(const SimFrame& frame) {
    if (state_ != State::open) return;
    if (frame.fate == Fate::line_breaks_here) state_ = State::lost;
    if (frame.fate == Fate::received) arrived_ += static_cast<char>(frame.value);
    changed_.notify();
}

void SimConsole::check() const {
    if (state_ == State::lost) throw BenchError("the console sim was lost", "the fault console-unplug struck");
    if (state_ == State::closed) throw BenchError("the console sim is not open");
}

}  // namespace rig::sim
