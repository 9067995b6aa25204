// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "drivers/sim/kernel.hpp"
#include "drivers/sim/sim_analyzer.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/sim_parameters.hpp"
#include "rig/device/analyzer.hpp"
#include "rig/device/console.hpp"
#include "rig/device/power.hpp"
#include "rig/device/witness.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::sim {

/// What really happened when a record was printed, and where an exact analyzer would have seen it.
struct RecordTruth {
    PrintedRecord record;

    /// In the capture that ran when the record began, on that analyzer's clock; a fault's lost block is not taken off.
    struct OnCapture {
        std::uint64_t capture = 0;  ///< from 1
        wire_time start{};
        picoseconds wire{0};
    };
    std::optional<OnCapture> on_capture;
};

/// A board, its wire and its instruments in virtual time, every parameter known. The board is off at first. The clock
/// must outlive the station, the station its captures. One strand.
class SimStation {
public:
    SimStation(SimClock& clock, SimParameters parameters);
    ~SimStation();
    SimStation(const SimStation&) = delete;
    SimStation& operator=(const SimStation&) = delete;

    [[nodiscard]] device::Console& console();
    [[nodiscard]] device::Analyzer& analyzer();
    [[nodiscard]] device::Power& power();
    [[nodiscard]] device::Witness& witness();

    [[nodiscard]] const SimParameters& parameters() const;
    /// tx, rx, marker, heartbeat → the analyzer channel that is wired to it.
    [[nodiscard]] static std::map<std::string, std::string> channels();
    /// Of the board's transmitter, exact.
    [[nodiscard]] picoseconds bit_time() const;

    /// A fault from now on; and all of them away.
    void inject(Fault fault);
    void clear_faults();

    /// Every record that went out whole since the start, boot lines included, in order.
    [[nodiscard]] std::vector<RecordTruth> truth() const;
    /// Those that carry this nonce and were measured.
    [[nodiscard]] std::vector<RecordTruth> truth_of(std::string_view nonce) const;
    [[nodiscard]] const std::vector<CaptureTruth>& captures() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace rig::sim
