// SPDX-License-Identifier: GPL-3.0-or-later
#include "hold_tally.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(HoldTally, KeepsTheLongestInOrderOfTime) {
    HoldTally tally;
    for (int i = 0; i < 200; ++i) tally.add({.seen = Instant(i * 1ms), .length = i % 2 == 0 ? 1ms : i * 1us});
    tally.add({.seen = Instant(1s), .length = 7ms, .since_capture = 30ms});
    EXPECT_EQ(tally.count(), 201U);
    EXPECT_EQ(tally.largest(), 7ms);
    ASSERT_EQ(tally.listed().size(), HoldTally::listed_at_most);
    EXPECT_EQ(tally.listed().back().since_capture, 30ms);
    for (const Hold& hold : tally.listed()) EXPECT_GE(hold.length, 1ms);
    EXPECT_TRUE(std::ranges::is_sorted(tally.listed(), {}, &Hold::seen));
}

TEST(HoldTally, StartsWithNothing) {
    EXPECT_EQ(HoldTally().largest(), 0ns);
    EXPECT_TRUE(HoldTally().listed().empty());
}

}  // namespace
}  // namespace vbench
