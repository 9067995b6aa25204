// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"
#include "rig/wire/edges.hpp"
#include "rig/wire/uart_format.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace rig::wire {

/// A change of a line at a time that no sample has rounded yet.
struct Transition {
    wire_time at;
    Level level = Level::low;
};

/// A line as it really is. Transitions are in order of time, levels alternate.
struct Waveform {
    Level initial = Level::high;
    std::vector<Transition> transitions;
};

/// The transmitter of a generated line.
struct Transmitter {
    double bit_ps = 0;  ///< the true bit time
    UartFormat format;
    double jitter_ps = 0;       ///< standard deviation of each edge about its place, cut at three of it
    picoseconds mark_delay{0};  ///< how much later edges to mark come than edges to space
    std::uint64_t seed = 1;     ///< of the jitter: the same seed gives the same line
};

/// Writes UART characters into a waveform. Every edge's place is computed from its frame's start and the number of
/// bits, so that no rounding adds up; back-to-back frames share one origin for the same reason.
class WaveformWriter {
public:
    /// The line idles at mark from time zero on.
    explicit WaveformWriter(const Transmitter& transmitter);

    /// Sends one character when the line is free (at once after the one before); returns when its start bit begins.
    wire_time send(std::uint16_t value);
    /// Sends one character at `at`, or when the line is free if that is later; returns when its start bit begins.
    wire_time send_at(wire_time at, std::uint16_t value);
    /// Sends a character with the wrong parity bit. The format must have one.
    wire_time send_with_wrong_parity(std::uint16_t value);
    /// Sends a character whose stop bits are space; the line is at mark again for one bit after it.
    wire_time send_without_stop(std::uint16_t value);
    /// Sends each byte of `text` back to back.
    void send_text(std::string_view text);
    /// Keeps the line at mark for `length`.
    void idle(picoseconds length);
    /// Keeps the line at space for `length`, then at mark for one bit.
    void send_break(picoseconds length);
    /// Keeps the line at space with no start bit meant: a line not powered yet.
    void unpowered(picoseconds length);

    /// When the line is free: the end of the last stop bit, gap or break.
    [[nodiscard]] wire_time now() const;
    [[nodiscard]] const Waveform& waveform() const { return waveform_; }

private:
    void put_symbols(std::uint32_t symbols, unsigned count, unsigned half_bits);
    [[nodiscard]] std::uint32_t symbols_of(std::uint16_t value, std::uint32_t flip) const;
    void drive(double ps, Level level);
    void rebase(wire_time at);

    Transmitter transmitter_;
    Waveform waveform_;
    std::mt19937_64 random_;
    wire_time origin_{};           // where the present back-to-back run began
    std::uint64_t half_bits_ = 0;  // how far it got
    Level level_;
};

/// Samples a waveform: sample k shows the level at `phase` + k sample periods. `phase` moves the line against the
/// sampling grid.
Trace sample(const Waveform& waveform, SampleRate rate, std::uint64_t samples, picoseconds phase = picoseconds{0});

/// Flips `count` samples from `at` on: a spike.
Trace with_spike(Trace trace, SampleIndex at, std::uint64_t count);

/// What an analyzer that loses `count` samples at `at` delivers: everything behind moves forward.
Trace with_lost_samples(const Trace& trace, SampleIndex at, std::uint64_t count);

/// The part of a trace that a capture of samples [from, from + count) would show.
Trace cut(const Trace& trace, SampleIndex from, std::uint64_t count);

/// A trace and the bit of a sample that carries it.
struct Lane {
    const Trace* trace = nullptr;  ///< not owned
    unsigned bit = 0;
};

/// Writes samples [from, from + count) of several traces as a logic analyzer delivers them: little-endian units of
/// `unitsize` bytes. A trace that ends earlier keeps its last level.
std::vector<std::byte> to_samples(std::span<const Lane> lanes, std::size_t unitsize, SampleIndex from,
                                  std::uint64_t count);

}  // namespace rig::wire
