// SPDX-License-Identifier: GPL-3.0-or-later
#include "spin_budget.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

/// Spins whenever it may, in steps of a tenth of a millisecond; gives the time spun.
nanoseconds spin_through(SpinBudget& budget, Instant from, nanoseconds length) {
    nanoseconds spun{0};
    for (Instant at = from; at < from + length; at += 100us) {
        if (budget.available(at) < 100us) continue;
        budget.spend(100us);
        spun += 100us;
    }
    return spun;
}

TEST(SpinBudget, CoversTheLongestRecordWhole) {
    SpinBudget budget;
    EXPECT_EQ(spin_through(budget, Instant(1h), 90ms), 90ms);
}

TEST(SpinBudget, AWireBusyForSecondsCostsHalfAProcessor) {
    SpinBudget budget;
    spin_through(budget, Instant(1h), 2s);
    EXPECT_NEAR(static_cast<double>(spin_through(budget, Instant(1h + 2s), 4s).count()), 2e9, 1e7);
}

TEST(SpinBudget, IsWholeAgainAfterARest) {
    SpinBudget budget;
    spin_through(budget, Instant(1h), 2s);
    EXPECT_EQ(budget.available(Instant(1h + 3s)), nanoseconds(SpinBudget::capacity));
}

}  // namespace
}  // namespace vbench
