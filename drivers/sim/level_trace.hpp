// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/true_time.hpp"
#include "rig/wire/edges.hpp"

#include <cstdint>
#include <deque>

namespace rig::sim {

/// A line changes to `level` at `at`.
struct LevelChange {
    true_time at;
    wire::Level level = wire::Level::low;
};

/// The level of one line over true time. It is written ahead of time and can be cut where the future was called off.
class LevelTrace {
public:
    explicit LevelTrace(wire::Level idle) : before_(idle) {}

    /// The line is at `level` from `at` on; `at` is not before the last change. Nothing when it has that level already.
    void set(wire::Level level, true_time at);
    /// Forgets all that was to happen after `at`; the line is at `level` from then on.
    void cut(true_time at, wire::Level level);
    /// Drops what lies before `at` and is needed by nobody any more.
    void forget_before(true_time at);

    /// Number of the first change at or after `at`; numbers count from the trace's beginning.
    [[nodiscard]] std::uint64_t first_at(true_time at) const;
    [[nodiscard]] std::uint64_t end() const { return forgotten_ + changes_.size(); }
    [[nodiscard]] const LevelChange& change(std::uint64_t number) const { return changes_[number - forgotten_]; }
    /// The level just before the change of this number.
    [[nodiscard]] wire::Level level_before(std::uint64_t number) const;

private:
    wire::Level before_;  // of the first change that is kept
    std::uint64_t forgotten_ = 0;
    std::deque<LevelChange> changes_;
};

}  // namespace rig::sim
