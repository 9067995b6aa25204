// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/level_trace.hpp"

#include <algorithm>

namespace rig::sim {

void LevelTrace::set(wire::Level level, true_time at) {
    if (level_before(end()) != level) changes_.push_back({at, level});
}

void LevelTrace::cut(true_time at, wire::Level level) {
    while (!changes_.empty() && changes_.back().at > at) changes_.pop_back();
    set(level, at);
}

void LevelTrace::forget_before(true_time at) {
    while (!changes_.empty() && changes_.front().at < at) {
        before_ = changes_.front().level;
        changes_.pop_front();
        ++forgotten_;
    }
}

std::uint64_t LevelTrace::first_at(true_time at) const {
    const auto found = std::ranges::lower_bound(changes_, at, {}, &LevelChange::at);
    return forgotten_ + static_cast<std::uint64_t>(found - changes_.begin());
}

wire::Level LevelTrace::level_before(std::uint64_t number) const {
    return number == forgotten_ ? before_ : change(number - 1).level;
}

}  // namespace rig::sim
