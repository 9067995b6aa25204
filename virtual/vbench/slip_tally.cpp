// SPDX-License-Identifier: GPL-3.0-or-later
#include "slip_tally.hpp"

#include <algorithm>

namespace vbench {

SlipTally::SlipTally(nanoseconds floor) : floor_(floor) {}

void SlipTally::add(Instant at, nanoseconds lateness, std::optional<nanoseconds> since_capture) {
    ++frames_;
    if (lateness <= floor_) {
        under_way_ = nanoseconds(0);
    } else if (under_way_ == nanoseconds(0)) {
        open({.at = at, .amount = lateness, .since_capture = since_capture});
    } else if (lateness > under_way_) {
        widen(lateness);
    }
}

void SlipTally::open(Slip slip) {
    ++count_;
    total_ += slip.amount;
    largest_ = std::max(largest_, slip.amount);
    under_way_ = slip.amount;
    listed_.push_back(slip);
    if (listed_.size() > listed_at_most)
        listed_.erase(std::min_element(listed_.begin(), listed_.end() - 1,
                                       [](const Slip& a, const Slip& b) { return a.amount < b.amount; }));
}

void SlipTally::widen(nanoseconds lateness) {
    total_ += lateness - under_way_;
    largest_ = std::max(largest_, lateness);
    under_way_ = lateness;
    listed_.back().amount = lateness;
}

}  // namespace vbench
