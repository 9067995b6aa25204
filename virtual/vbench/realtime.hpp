// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vbench {

/// Whether real-time scheduling is asked for at all.
enum class RealtimeWish { automatic, off };

/// Real-time priorities under SCHED_FIFO: the wire goes before the board, as it does in hardware.
inline constexpr int pacer_priority = 50;
inline constexpr int guest_priority = 40;

/// Asks for SCHED_FIFO for the calling thread; 0 or the errno of the refusal. Async-signal-safe.
int ask_for_realtime(int priority);

/// What is reported of such a request: `fifo 50`, or `refused: Operation not permitted`.
std::string describe_realtime(int priority, int error);

}  // namespace vbench
