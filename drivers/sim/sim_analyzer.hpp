// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "drivers/sim/level_trace.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/sim_parameters.hpp"
#include "drivers/sim/transmitter.hpp"
#include "drivers/sim/waveform.hpp"
#include "rig/device/analyzer.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rig::sim {

/// Where a capture lay in true time, and what its clock really did.
struct CaptureTruth {
    std::uint64_t number = 0;  ///< from 1
    SampleClock clock;
    std::uint64_t limit = 0;
};

/// The lines that the probes D0 to D2 touch, and what brings them up to date.
struct ProbedLines {
    LevelTrace& tx;
    LevelTrace& rx;
    LevelTrace& marker;
    std::function<void(true_time)> settle;
};

/// The logic analyzer: eight channels D0…D7 of one byte a sample, D0 tx, D1 rx, D2 marker, D3 heartbeat, the others
/// low. Channels that are not asked for read low. Must outlive its captures.
class SimAnalyzer final : public device::Analyzer {
public:
    SimAnalyzer(SimClock& clock, const SimParameters& parameters, const FaultBoard& faults, Transmitter& uart,
                ProbedLines lines);

    device::awaitable<device::AnalyzerIdentity> open(device::Deadline deadline) override;
    device::awaitable<std::unique_ptr<device::Capture>> start(device::CaptureRequest request, device::CaptureSink& sink,
                                                              device::Deadline deadline) override;

    /// Every capture that was started, in order.
    [[nodiscard]] const std::vector<CaptureTruth>& captures() const { return captures_; }
    [[nodiscard]] std::uint64_t samples_delivered() const { return samples_delivered_; }

private:
    friend class SimCapture;

    void check(const device::CaptureRequest& request) const;
    [[nodiscard]] Waveform waveform_of(const device::CaptureRequest& request, const CaptureTruth& capture) const;
    void capture_ended();

    SimClock* clock_;
    const SimParameters* parameters_;
    const FaultBoard* faults_;
    Transmitter* uart_;
    ProbedLines lines_;
    std::vector<CaptureTruth> captures_;
    std::uint64_t samples_delivered_ = 0;
    bool busy_ = false;
};

}  // namespace rig::sim
