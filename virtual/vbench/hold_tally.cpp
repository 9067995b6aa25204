// SPDX-License-Identifier: GPL-3.0-or-later
#include "hold_tally.hpp"

#include <algorithm>

namespace vbench {

void HoldTally::add(const Hold& hold) {
    ++count_;
    largest_ = std::max(largest_, hold.length);
    listed_.push_back(hold);
    if (listed_.size() > listed_at_most) listed_.erase(std::ranges::min_element(listed_, {}, &Hold::length));
}

}  // namespace vbench
