// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"
#include "rig/time/units.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rig::device {

/// What an analyzer is asked for.
struct CaptureRequest {
    SampleRate rate;
    std::uint64_t samples = 0;                    ///< the limit
    std::map<std::string, std::string> channels;  ///< tx, rx, marker, heartbeat → the driver's channel name
};

/// How the samples of a capture are laid out: `unitsize` bytes a sample, little-endian, one bit a channel.
struct SampleLayout {
    unsigned unitsize = 1;
    std::map<std::string, unsigned> bits;  ///< tx, rx, … → bit
};

/// How a capture ended, as the driver saw it. Whether it is whole is judged by the analysis, never here.
struct CaptureEnd {
    std::uint64_t samples = 0;       ///< samples delivered
    bool end_packet = false;         ///< the driver said that it was done
    host_time started;               ///< before the driver was told to start
    std::optional<host_time> first;  ///< arrival of the first samples
    host_time ended;                 ///< arrival of the end packet, or when the driver gave up
    std::string error;               ///< the driver's own words when something was wrong; empty else
};

/// Where the samples of a running capture go. Called on the station's strand.
class CaptureSink {
public:
    virtual ~CaptureSink() = default;
    virtual void samples(std::span<const std::byte> block) = 0;
};

/// A capture that runs.
class Capture {
public:
    virtual ~Capture() = default;
    [[nodiscard]] virtual SampleLayout layout() const = 0;
    /// Samples delivered to the sink so far.
    [[nodiscard]] virtual std::uint64_t received() const = 0;
    /// Waits until `samples` were delivered, the capture ended, or the deadline passed.
    virtual awaitable<void> reach(std::uint64_t samples, Deadline deadline) = 0;
    /// Waits for the end. When the deadline passes first, the driver is stopped by force and the end says so.
    virtual awaitable<CaptureEnd> finish(Deadline deadline) = 0;
};

/// What the analyzer says of itself.
struct AnalyzerIdentity {
    std::string driver;
    std::string vendor;
    std::string model;
    std::string version;
    std::string library;
    std::vector<std::string> channels;
};

/// A logic analyzer. Used from the station's strand only; a driver's own threads stay inside it.
class Analyzer {
public:
    virtual ~Analyzer() = default;
    /// Finds the instrument; a BenchError when it is missing or busy, a PlanError when the driver string is wrong.
    virtual awaitable<AnalyzerIdentity> open(Deadline deadline) = 0;
    /// Starts a capture. `sink` must outlive it. A BenchError when the instrument cannot start; a PlanError when it has
    /// no such channel or sample rate.
    virtual awaitable<std::unique_ptr<Capture>> start(CaptureRequest request, CaptureSink& sink, Deadline deadline) = 0;
};

}  // namespace rig::device
