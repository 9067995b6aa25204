// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"
#include "wire_log.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace vbench {

/// Bit numbers of the analyzer's channels in a sample.
enum class Channel : std::uint8_t { tx = 0, rx = 1, marker = 2, heartbeat = 3 };

/// What a probe does to the level of its wire.
enum class ProbeState : std::uint8_t {
    sound,       ///< shows it
    in_the_air,  ///< a UART's reads high (the analyzer's pull-up), the marker's low
    stuck_low,   ///< a short to ground
    inverted,    ///< a level shifter, or an RS-232 driver, between
};

/// The probes, by `Wire`.
using Probes = std::array<ProbeState, all_wires.size()>;

/// Turns the wires' edges into samples: one capture's view of the log, read from its start onwards.
///
/// Sample k is taken k/rate after the start. Bit 0 is TX, bit 1 RX, bit 2 the marker, bit 3 the heartbeat: a square
/// wave of 1 ms period that begins high with sample 0 and runs on the capture's own clock, so that a block of samples
/// lost on the way shows as a jump of its phase. The other bits are low.
class Waveform {
public:
    /// A stretch of samples in which the TX probe reads low, whatever the wire does.
    struct Glitch {
        std::uint64_t at;
        std::uint64_t samples;
    };

    /// Reads from `log`, which must outlive it and must keep every edge after `start` that is not yet sampled.
    Waveform(const WireLog& log, Instant start, SampleClock clock, const Probes& probes,
             std::vector<Glitch> glitches = {});

    /// Writes the next samples. The log must be complete up to the last of them.
    void fill(std::span<std::uint8_t> samples);
    /// The same with two bytes per sample.
    void fill(std::span<std::uint16_t> samples);

    /// Passes over samples as if a block of them had been lost.
    void skip(std::uint64_t samples) { next_ += samples; }

    /// The number of the next sample.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// When the next sample is taken, in time since the start of the bench.
    [[nodiscard]] Picoseconds time_of_next() const { return start_ + clock_.time_of(next_); }
    /// The moment up to which the wires are sampled. Edges up to and including it are no longer needed, and one that
    /// is reported now for such a moment comes too late.
    [[nodiscard]] Picoseconds sampled_until() const { return sampled_until_; }
    /// How many samples have been taken by a moment, counted in time since the start of the bench.
    [[nodiscard]] std::uint64_t taken_by(Picoseconds at) const { return clock_.taken_by(at - start_); }

private:
    /// One probe's place on its wire.
    struct Probe {
        std::uint64_t next_edge;
        Level level;
    };

    template <typename Sample>
    void fill_with(std::span<Sample> samples);
    [[nodiscard]] std::uint64_t advance(Wire wire, std::uint64_t limit);
    [[nodiscard]] std::uint64_t sample_of(const Edge& edge) const;
    [[nodiscard]] Level heartbeat() const;
    [[nodiscard]] std::uint64_t end_of_heartbeat_half() const;
    [[nodiscard]] std::uint64_t end_of_glitch_state() const;
    [[nodiscard]] bool glitched() const;
    [[nodiscard]] Level seen(Wire wire) const;
    [[nodiscard]] std::uint8_t value() const;

    const WireLog* log_;
    Picoseconds start_;
    SampleClock clock_;
    Probes states_;
    std::vector<Glitch> glitches_;
    std::array<Probe, all_wires.size()> probes_{};
    std::uint64_t next_ = 0;
    Picoseconds sampled_until_;
};

}  // namespace vbench
