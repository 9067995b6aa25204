// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rig::wire {

/// The logic level of a line.
enum class Level : std::uint8_t { low, high };

/// The other level.
constexpr Level opposite(Level level) {
    return level == Level::low ? Level::high : Level::low;
}

/// A change of a line: `level` holds from sample `at` on, the sample before still had the other level. The true edge
/// lies within the sample period that ends at `at`.
struct Edge {
    SampleIndex at;
    Level level = Level::low;
    bool operator==(const Edge&) const = default;
};

/// One channel of a capture as its edges, in order of time; levels alternate.
struct Trace {
    SampleRate rate;
    std::uint64_t samples = 0;   ///< length of the capture
    Level initial = Level::low;  ///< level of the first sample
    std::vector<Edge> edges;
    bool operator==(const Trace&) const = default;
};

/// Finds the edges of one channel in a stream of logic samples (little-endian units of 1 to 8 bytes, one bit per
/// channel, as libsigrok delivers them). Blocks may be of any length and may end inside a unit. Idle stretches cost one
/// compare per 32 bytes. Not thread-safe; one scanner per channel.
class EdgeScanner {
public:
    /// `bit` counts from 0 at the least significant bit of a unit. Throws RigError when unit or bit do not exist.
    EdgeScanner(std::size_t unitsize, unsigned bit);

    /// Scans the next block of the stream.
    void feed(std::span<const std::byte> block);

    /// Whole samples seen so far.
    [[nodiscard]] std::uint64_t samples() const { return samples_; }

    /// Level of the first sample; meaningless before the first whole sample.
    [[nodiscard]] Level initial() const { return initial_; }

    /// Hands over the edges found since the last call, so that a long stream needs no memory for its past.
    [[nodiscard]] std::vector<Edge> take_edges();

    /// Ends the stream and hands over what was found (edges taken before are not in it). Throws BenchError when the
    /// stream ended inside a sample.
    [[nodiscard]] Trace finish(SampleRate rate) &&;

private:
    void begin(std::uint64_t first_unit);
    void scan(std::span<const std::byte> whole_units);
    void scan_word(std::uint64_t word, std::size_t units);
    void flip_at(std::uint64_t sample);
    [[nodiscard]] std::size_t complete_carried_unit(std::span<const std::byte> block);

    std::size_t unitsize_;
    std::uint64_t unit_bit_;  // the channel's bit within one unit
    std::size_t units_per_word_;
    std::uint64_t mask_;          // the channel's bit in each unit of a 64-bit word
    std::uint64_t expected_ = 0;  // mask_ while the line is high, 0 while it is low
    std::uint64_t samples_ = 0;
    Level initial_ = Level::low;
    std::vector<Edge> edges_;
    std::array<std::byte, 8> carry_{};
    std::size_t carried_ = 0;
};

}  // namespace rig::wire
