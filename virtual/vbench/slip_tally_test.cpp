// SPDX-License-Identifier: GPL-3.0-or-later
#include "slip_tally.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(SlipTally, FramesOnTimeAreCountedAndAreNoSlips) {
    SlipTally tally(9us);
    for (int i = 0; i < 100; ++i) tally.add(Instant(i * 87us), 2us, std::nullopt);
    EXPECT_EQ(tally.frames(), 100U);
    EXPECT_EQ(tally.count(), 0U);
    EXPECT_EQ(tally.total(), 0ns);
}

TEST(SlipTally, TheFramesOfACatchUpAreOneSlip) {
    SlipTally tally(9us);
    tally.add(Instant(1ms), 200us, 5ms);
    tally.add(Instant(1087us), 115us, 5087us);
    tally.add(Instant(1174us), 30us, 5174us);
    tally.add(Instant(1261us), 1us, 5261us);
    tally.add(Instant(1348us), 50us, 5348us);
    EXPECT_EQ(tally.count(), 2U);
    EXPECT_EQ(tally.largest(), 200us);
    EXPECT_EQ(tally.total(), 250us);
    ASSERT_EQ(tally.listed().size(), 2U);
    EXPECT_EQ(tally.listed()[0].since_capture, 5ms);
    EXPECT_EQ(tally.listed()[1].amount, 50us);
}

TEST(SlipTally, ASlipThatGrowsWhileCatchingUpCountsWithItsLargestLateness) {
    SlipTally tally(9us);
    tally.add(Instant(1ms), 20us, std::nullopt);
    tally.add(Instant(2ms), 70us, std::nullopt);
    EXPECT_EQ(tally.count(), 1U);
    EXPECT_EQ(tally.total(), 70us);
    EXPECT_EQ(tally.listed().front().amount, 70us);
}

TEST(SlipTally, OnlyTheLongestSlipsAreListedButAllAreCounted) {
    SlipTally tally(9us);
    for (int i = 0; i < 100; ++i) {
        tally.add(Instant(i * 1ms), i == 80 ? 20us : 10us, std::nullopt);
        if (i == 90) tally.add(Instant(i * 1ms + 50us), 30us, std::nullopt);
        tally.add(Instant(i * 1ms + 87us), 0us, std::nullopt);
    }
    EXPECT_EQ(tally.count(), 100U);
    ASSERT_EQ(tally.listed().size(), SlipTally::listed_at_most);
    EXPECT_EQ(tally.total(), 1030us);
    const auto is_at = [&](Instant at) { return std::ranges::count(tally.listed(), at, &Slip::at); };
    EXPECT_EQ(is_at(Instant(80ms)), 1);
    EXPECT_EQ(is_at(Instant(90ms)), 1);
    EXPECT_EQ(is_at(Instant(99ms)), 1);
}

}  // namespace
}  // namespace vbench
