// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <span>

namespace rig::wire {

/// The rates that serial ports are set to, in rising order: those of Linux's termios (B50 … B4000000), and the usual
/// ones outside of it (MIDI 31250, DMX512 and field buses 250000, 14400, 28800, 74880 of a boot ROM on a 26 MHz
/// crystal).
std::span<const Baud> standard_rates();

/// The standard rate nearest to `baud` by ratio. `baud` must be above zero.
Baud nearest_standard_rate(double baud);

}  // namespace rig::wire
