// SPDX-License-Identifier: GPL-3.0-or-later
#include "spin_budget.hpp"

#include <algorithm>

namespace vbench {

nanoseconds SpinBudget::available(Instant at) {
    left_ = std::min<nanoseconds>(capacity, left_ + (at - counted_) / 2);
    counted_ = at;
    return left_;
}

void SpinBudget::spend(nanoseconds time) {
    left_ = std::max(left_ - time, nanoseconds(0));
}

}  // namespace vbench
