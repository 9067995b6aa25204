// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/level_trace.hpp"
#include "drivers/sim/true_time.hpp"
#include "rig/time/units.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rig::sim {

/// When the samples of a capture are taken: sample k at start + k/rate on an oscillator that is off by `error`. Exact
/// in 128 bits for captures of hours.
class SampleClock {
public:
    SampleClock(true_time start, SampleRate rate, RateError error) : start_(start), rate_(rate), error_(error) {}

    /// The first sample taken at or after `t`; the first of all when `t` lies before the start.
    [[nodiscard]] std::uint64_t first_at(true_time t) const;
    /// How many samples were taken up to `t`, itself included.
    [[nodiscard]] std::uint64_t taken_by(true_time t) const;
    /// When sample `number` is taken, rounded up to a picosecond.
    [[nodiscard]] true_time time_of(std::uint64_t number) const;

    [[nodiscard]] true_time start() const { return start_; }
    [[nodiscard]] SampleRate rate() const { return rate_; }
    [[nodiscard]] RateError error() const { return error_; }

private:
    true_time start_;
    SampleRate rate_;
    RateError error_;
};

/// A probe: a line seen as one bit of the samples.
struct Probe {
    const LevelTrace* trace = nullptr;
    unsigned bit = 0;
};

/// Samples of one byte, made of the probes' lines in order of time. A change shows in the first sample taken at or
/// after it.
class Waveform {
public:
    /// The probes' traces must outlive it and keep their changes from the clock's start on.
    Waveform(SampleClock clock, std::vector<Probe> probes);

    /// Adds a square wave of `hz` on the sample clock itself, high at sample 0.
    void add_heartbeat(unsigned bit, std::uint64_t hz);
    /// Adds a bit that is always high.
    void add_high(unsigned bit) { fixed_ |= 1U << bit; }

    /// Makes the bit read low for a stretch of samples, whatever its line does. One stretch a waveform.
    void add_glitch(unsigned bit, std::uint64_t at, std::uint64_t samples) { glitch_ = {bit, at, samples}; }

    /// The next samples. The lines must be settled up to the last of them.
    void fill(std::span<std::byte> samples);
    /// Passes over samples that are lost.
    void skip(std::uint64_t samples) { next_ += samples; }

private:
    struct Heartbeat {
        unsigned bit = 0;
        std::uint64_t halves_per_second = 0;
    };
    struct Glitch {
        unsigned bit = 0;
        std::uint64_t at = 0;
        std::uint64_t samples = 0;
    };
    struct Cursor {
        Probe probe;
        std::uint64_t next_change = 0;
    };

    [[nodiscard]] std::uint64_t apply(Cursor& cursor, std::uint64_t limit, unsigned& value);

    SampleClock clock_;
    std::vector<Cursor> cursors_;
    std::vector<Heartbeat> heartbeats_;
    unsigned fixed_ = 0;
    Glitch glitch_;
    std::uint64_t next_ = 0;
};

}  // namespace rig::sim
