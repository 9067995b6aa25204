// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/tick_counter.hpp"

#include "drivers/sim/true_time.hpp"

namespace rig::sim {

TickCounter::TickCounter(TickRate rate, target::TickModel model, picoseconds phase)
    : rate_(rate), model_(model), phase_(phase) {}

picoseconds TickCounter::next() const {
    const auto after = static_cast<wide_int>(dealt_with_) * 1'000'000'000'000 / rate_.hz;
    return phase_ + picoseconds{static_cast<std::int64_t>(after)};
}

void TickCounter::deliver() {
    ++dealt_with_;
    ++counted_;
}

TickCounter::Late TickCounter::deliver_late(picoseconds until) {
    Late late;
    while (next() <= until) {
        ++dealt_with_;
        ++late.due;
    }
    const bool periodic = model_ == target::TickModel::one_per_interrupt;
    const std::uint64_t kept = periodic && late.due > 1 ? 1 : late.due;
    counted_ += kept;
    late.lost = late.due - kept;
    return late;
}

}  // namespace rig::sim
