// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hold_tally.hpp"
#include "realtime.hpp"
#include "spsc_ring.hpp"
#include "time.hpp"
#include "unique_fd.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

namespace vbench {

/// Watches for times at which a thread of the guest was ready to run and had no processor. The kernel's counters are
/// read at short intervals; what a thread's wait grew by from one reading to the next is the most that one wait can
/// have been that ended in between. A sum over a whole trial would not tell one wait of 5 ms, which spoils a figure,
/// from a thousand wakes of 5 us, which are the cost of a guest that blocks at every byte.
///
/// Reads on a thread of its own, before the pacer in priority. All functions are for one thread.
class HoldWatch {
public:
    /// `cpus`: the processors to keep to with real-time priority, when given.
    HoldWatch(RealtimeWish wish, std::optional<cpu_set_t> cpus);
    ~HoldWatch();
    HoldWatch(const HoldWatch&) = delete;
    HoldWatch& operator=(const HoldWatch&) = delete;

    /// Watches the threads of this process from now on; 0 for none.
    void watch(pid_t pid) { pid_.store(pid); }

    /// Hands over the holds since the last call, in order. Shorter ones than `floor` are none.
    void drain(const std::function<void(const Hold&)>& take);

    static constexpr std::chrono::microseconds interval{500};
    static constexpr std::chrono::microseconds floor{250};

private:
    void run();
    void report(nanoseconds length, Instant last);

    RealtimeWish wish_;
    std::optional<cpu_set_t> cpus_;
    std::atomic<pid_t> pid_{0};
    static constexpr std::size_t hold_room = 1U << 14;
    SpscRing<Hold, hold_room> holds_;
    /// The longest that is not reported yet, and its gap. Both belong to the watching thread.
    nanoseconds pending_{0};
    nanoseconds pending_gap_{0};
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

/// The waits of one process's threads from reading to reading. For one thread.
class HoldReader {
public:
    explicit HoldReader(pid_t pid) : pid_(pid) {}

    /// Reads all threads and gives the most that one of them waited since the reading before; the first reading of a
    /// thread gives nothing.
    nanoseconds read();

    /// Looks for threads that have begun or ended since.
    void look_for_threads();

private:
    struct Watched {
        int thread;
        UniqueFd schedstat;
        std::optional<std::int64_t> waited{};
    };

    pid_t pid_;
    std::vector<Watched> threads_;
};

}  // namespace vbench
