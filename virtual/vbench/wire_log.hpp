// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace vbench {

enum class Level : std::uint8_t { low, high };

/// The wires that the analyzer's probes hang on.
enum class Wire : std::uint8_t { tx, rx, marker };
inline constexpr std::array all_wires{Wire::tx, Wire::rx, Wire::marker};

/// A wire takes a level at a moment. Moments count from the start of the bench.
struct Edge {
    Picoseconds at;
    Level level;
};

/// The level of one wire over time: a queue of edges that is pruned from its old end. An edge keeps its number when
/// older ones are forgotten, so a reader holds the number of the edge it comes to next.
class LevelTrack {
public:
    explicit LevelTrack(Level at_rest);

    /// Notes that the wire has `level` from `at` on. Nothing is stored when that is its level already. A moment before
    /// the newest edge is taken for that edge's: a wire has one order of events.
    void set(Picoseconds at, Level level);

    /// The number of the oldest edge that is kept. A reader that comes to an older one was told of it too late.
    [[nodiscard]] std::uint64_t begin() const { return forgotten_; }

    /// The number of the next edge to come.
    [[nodiscard]] std::uint64_t end() const { return forgotten_ + edges_.size(); }

    /// The number of the first edge after `at`.
    [[nodiscard]] std::uint64_t first_after(Picoseconds at) const;

    /// The edge of a number in [begin, end).
    [[nodiscard]] const Edge& edge(std::uint64_t number) const;

    /// The level just before the edge of a number in [begin, end].
    [[nodiscard]] Level before(std::uint64_t number) const;

    /// Gives up all edges up to and including the moment `at`.
    void forget_until(Picoseconds at);

    [[nodiscard]] std::size_t kept() const { return edges_.size(); }

private:
    Level oldest_;
    std::uint64_t forgotten_ = 0;
    std::deque<Edge> edges_;
};

/// What happened on the wires, for as long as a capture may still need it. Belongs to the main thread.
class WireLog {
public:
    /// Moments on the wires count from `epoch`. UART lines rest high, also while the board is off: the virtual bench
    /// has a pull-up on each. The marker rests low.
    WireLog(UartTiming timing, Instant epoch);

    /// Notes a frame on `wire` whose start bit begins at `start`. Frames of a wire come in order and never overlap.
    void add_frame(Wire wire, Instant start, std::uint8_t byte);

    /// Notes the level of the marker pin from `at` on.
    void set_marker(Instant at, Level level);

    /// Gives up what happened before `at` on every wire.
    void forget_until(Instant at);

    [[nodiscard]] const LevelTrack& track(Wire wire) const;
    [[nodiscard]] Picoseconds since_epoch(Instant at) const { return at - epoch_; }

private:
    LevelTrack& track_of(Wire wire);

    UartTiming timing_;
    Instant epoch_;
    std::array<LevelTrack, all_wires.size()> tracks_;
};

}  // namespace vbench
