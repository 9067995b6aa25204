// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/facts.hpp"
#include "rig/target/irq_latency.hpp"
#include "rig/time/units.hpp"

#include <span>

namespace rig::analysis {

/// How many ticks may be lost, both ends included.
struct LostTicks {
    Ticks least;
    Ticks most;
};

/// What the tick model predicts for IRQ-off sections: one of length d spans N = ⌊d·HZ⌋ or N+1 ticks, of which one is
/// delivered late when interrupts come back. The others are lost where each interrupt counts one jiffy, none where the
/// kernel catches up. Sections shorter than a tick lose none.
LostTicks predict_lost_ticks(std::span<const target::IrqOffEvent> sections, TickRate hz, target::TickModel model);

}  // namespace rig::analysis
