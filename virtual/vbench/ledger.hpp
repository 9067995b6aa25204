// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hold_tally.hpp"
#include "slip_tally.hpp"
#include "time.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include <nlohmann/json_fwd.hpp>

namespace vbench {

/// What the kernel's scheduler counts of a thread since it began (/proc/PID/task/TID/schedstat, fields 2 and 3).
struct RunDelay {
    /// Time it was ready to run and waited for a processor.
    nanoseconds waited{0};
    /// How often it was given one. Each time costs a wake-up, some 40 µs in a virtual machine, so that a guest that
    /// blocks at every byte waits in all for much longer than it is ever held up.
    std::uint64_t turns = 0;
    /// Pages that it waited for until they were read from a disk (/proc/PID/task/TID/stat, field 12): no run delay.
    std::uint64_t major_faults = 0;

    friend bool operator==(const RunDelay&, const RunDelay&) = default;
};

/// The run delays of a process's threads, by thread id.
using RunDelays = std::map<int, RunDelay>;

/// Sums the run delay of the guest's threads from one reading to another. Threads come and go, and so do guests (at a
/// reset): what ends counts with its last reading.
class RunDelayMeter {
public:
    /// Starts at a reading.
    explicit RunDelayMeter(RunDelays at_start = {}) : last_(std::move(at_start)) {}

    /// Takes note of a later reading.
    void update(const RunDelays& reading);

    [[nodiscard]] const RunDelay& total() const { return total_; }
    [[nodiscard]] std::size_t threads() const { return last_.size(); }

private:
    RunDelays last_;
    RunDelay total_;
};

/// What the bench measures of itself over some stretch of time.
struct Ledger {
    /// `slip_floor`: see SlipTally.
    Ledger(Instant began_at, nanoseconds slip_floor, RunDelays delays)
        : began(began_at), tx(slip_floor), guest(std::move(delays)) {}

    Instant began;
    SlipTally tx;
    RunDelayMeter guest;
    HoldTally holds;
    std::uint64_t rx_bytes = 0;
    std::uint64_t marker_edges = 0;
    /// Events that were reported when the samples they belong to had already been sent.
    std::uint64_t late_events = 0;
    std::uint64_t captures = 0;
    std::uint64_t samples = 0;
    /// The longest time by which the stream of samples was behind its constant lag.
    nanoseconds behind_max{0};
};

/// The ledger as it appears in an answer of the control socket, without what only the bench knows.
nlohmann::json to_json(const Ledger& ledger, Instant until);

}  // namespace vbench
