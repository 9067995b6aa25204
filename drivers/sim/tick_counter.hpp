// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/printk_test.hpp"
#include "rig/time/units.hpp"

#include <cstdint>

namespace rig::sim {

/// The target's tick device and its jiffies, in time since the board's power-on by the board's own oscillator.
class TickCounter {
public:
    /// `phase`: when the first tick is due.
    TickCounter(TickRate rate, target::TickModel model, picoseconds phase);

    /// When the earliest tick is due that no interrupt has dealt with.
    [[nodiscard]] picoseconds next() const;
    /// Its interrupt comes.
    void deliver();

    /// What a stretch with interrupts off did.
    struct Late {
        std::uint64_t due = 0;   ///< ticks that became due; one interrupt follows when there was any
        std::uint64_t lost = 0;  ///< of them, those that jiffies never counts
    };
    /// Interrupts come back on at `until`: the ticks that are due by then are dealt with by one interrupt.
    Late deliver_late(picoseconds until);

    /// Ticks that jiffies has counted.
    [[nodiscard]] std::uint64_t counted() const { return counted_; }

private:
    TickRate rate_;
    target::TickModel model_;
    picoseconds phase_;
    std::uint64_t dealt_with_ = 0;
    std::uint64_t counted_ = 0;
};

}  // namespace rig::sim
