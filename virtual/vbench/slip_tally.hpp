// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vbench {

/// One time at which the pacer fell behind the wire's schedule.
struct Slip {
    /// The start of the frame it was late for.
    Instant at;
    nanoseconds amount;
    /// Time since the start of the capture that ran then; none when no capture ran.
    std::optional<nanoseconds> since_capture;
};

/// Counts the pacer's slips. A pacer that is held up finds several bytes due when it comes back and catches up; those
/// frames belong to one slip, whose amount is the largest lateness among them.
class SlipTally {
public:
    /// A frame that was late by `floor` or less is on time.
    explicit SlipTally(nanoseconds floor);

    /// Takes note of the next frame of the wire.
    void add(Instant at, nanoseconds lateness, std::optional<nanoseconds> since_capture);

    [[nodiscard]] std::uint64_t frames() const { return frames_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] nanoseconds largest() const { return largest_; }
    [[nodiscard]] nanoseconds total() const { return total_; }

    /// The longest slips in order of time, at most `listed_at_most`, and always the last one: of those before it, none
    /// that is left out is longer than the shortest listed.
    [[nodiscard]] const std::vector<Slip>& listed() const { return listed_; }

    static constexpr std::size_t listed_at_most = 64;

private:
    void open(Slip slip);
    void widen(nanoseconds lateness);

    nanoseconds floor_;
    std::uint64_t frames_ = 0;
    std::uint64_t count_ = 0;
    nanoseconds largest_{0};
    nanoseconds total_{0};
    /// The amount of the slip that the pacer has not yet caught up from; zero when it is on time.
    nanoseconds under_way_{0};
    std::vector<Slip> listed_;
};

}  // namespace vbench
