// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vbench {

/// A time for which a thread of the guest was ready to run and had no processor.
struct Hold {
    /// It was over by then, and not yet over `gap` before: at the reading before (see HoldWatch).
    Instant seen;
    nanoseconds length;
    nanoseconds gap{0};
    /// `seen` as time since the start of the capture that ran then; none when no capture ran.
    std::optional<nanoseconds> since_capture{};
};

/// Counts the guest's holds and keeps the longest of them.
class HoldTally {
public:
    void add(const Hold& hold);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] nanoseconds largest() const { return largest_; }

    /// The longest holds in order of time, at most `listed_at_most`: none that is left out is longer than the shortest
    /// of these.
    [[nodiscard]] const std::vector<Hold>& listed() const { return listed_; }

    static constexpr std::size_t listed_at_most = 64;

private:
    std::uint64_t count_ = 0;
    nanoseconds largest_{0};
    std::vector<Hold> listed_;
};

}  // namespace vbench
