// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <sched.h>
#include <string>

namespace vbench {

/// Whether real-time scheduling is asked for at all.
enum class RealtimeWish { automatic, off };

/// Real-time priorities under SCHED_FIFO: the wire goes before the board, as it does in hardware. In QEMU the thread of
/// the devices goes before that of the CPU: it runs the guest's timers, and a guest that spins until a timer has moved
/// on would otherwise never give it the processor.
inline constexpr int pacer_priority = 50;
inline constexpr int guest_devices_priority = 41;
inline constexpr int guest_priority = 40;
/// The bench's main thread, which hands on what has happened. Without a priority of its own it would wait behind the
/// pacer or the guest until the scheduler moves it, some 20 ms later; with one it runs wherever either sleeps.
inline constexpr int bench_priority = 30;

/// One processor for the pacer and the others for the guest. Where both shared one, the pacer would take it from the
/// guest at every byte the guest writes, and a wire that should be full would run dry between its frames.
struct ProcessorSplit {
    int pacer_cpu;
    cpu_set_t pacer;
    cpu_set_t guest;

    /// Splits the processors that this process may use; none when it has one only. Different benches get different
    /// processors for their pacers where there are enough.
    static std::optional<ProcessorSplit> of_this_process();
};

/// Asks for SCHED_FIFO for the calling thread and, where that is granted and `cpus` is not null, binds it to those
/// processors. 0 or the errno of the refusal. Async-signal-safe.
int ask_for_realtime(int priority, const cpu_set_t* cpus);

/// The same for the calling thread alone: processes and threads that it starts do not inherit it.
int ask_for_realtime_alone(int priority);

/// Gives another thread that priority under SCHED_FIFO; a thread that is no more is left alone.
void set_realtime(int thread, int priority);

/// What is reported of such a request: `fifo 50`, or `refused: Operation not permitted`.
std::string describe_realtime(int priority, int error);

}  // namespace vbench
