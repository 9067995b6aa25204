// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

#include <atomic>
#include <sched.h>
#include <thread>
#include <vector>

namespace vbench {

/// Keeps the host's processors from idling while the wire is busy.
///
/// A processor that idles, and a virtual one above all, takes up to some milliseconds to come back (seen: 1 wake-up in
/// 1400 more than 1 ms late, none with a busy processor), and at low rates pacer and guest sleep at every frame. Its
/// threads spin under SCHED_IDLE: they run only where nobody else wants to.
class ProcessorVigil {
public:
    /// One thread for each of `cpus`. They sleep.
    explicit ProcessorVigil(const cpu_set_t& cpus);
    ~ProcessorVigil();
    ProcessorVigil(const ProcessorVigil&) = delete;
    ProcessorVigil& operator=(const ProcessorVigil&) = delete;

    /// Watches until that moment. Returns at once; for one thread.
    void watch_until(Instant moment);

private:
    void watch() const;

    std::atomic<Instant::rep> until_{0};
    std::atomic<unsigned> calls_{0};
    std::atomic<bool> stopped_{false};
    std::vector<std::thread> threads_;
};

}  // namespace vbench
