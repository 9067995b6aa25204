// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include <nlohmann/json_fwd.hpp>

#include "slip_tally.hpp"
#include "time.hpp"

namespace vbench {

/// Time that each of a process's threads was ready to run and waited for a processor, by thread id.
using RunDelays = std::map<int, nanoseconds>;

/// Sums the run delay of the guest's threads from one reading to another. Threads come and go, and so do guests (at a
/// reset): what ends counts with its last reading.
class RunDelayMeter {
public:
    /// Starts at a reading.
    explicit RunDelayMeter(RunDelays at_start = {}) : last_(std::move(at_start)) {}

    /// Takes note of a later reading.
    void update(const RunDelays& reading);

    [[nodiscard]] nanoseconds total() const { return total_; }
    [[nodiscard]] std::size_t threads() const { return last_.size(); }

private:
    RunDelays last_;
    nanoseconds total_{0};
};

/// What the bench measures of itself over some stretch of time.
struct Ledger {
    /// `slip_floor`: see SlipTally.
    Ledger(Instant began_at, nanoseconds slip_floor, RunDelays delays)
        : began(began_at), tx(slip_floor), guest(std::move(delays)) {}

    Instant began;
    SlipTally tx;
    RunDelayMeter guest;
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
