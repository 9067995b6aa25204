// SPDX-License-Identifier: GPL-3.0-or-later
#include "sleep_margin.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(SleepMargin, SettlesWhereNinetyNineSleepsOfAHundredEndInTime) {
    SleepMargin margin;
    for (int i = 0; i < 100'000; ++i) margin.learn(i % 500 == 0 ? 400us : 40us);
    EXPECT_GT(margin.now(), 39us);
    EXPECT_LT(margin.now(), 61us);
}

TEST(SleepMargin, StaysSmallWhereSleepsArePunctual) {
    SleepMargin margin;
    for (int i = 0; i < 10'000; ++i) margin.learn(1us);
    EXPECT_EQ(margin.now(), SleepMargin::shortest);
}

TEST(SleepMargin, NeverSpinsLongerThanItsBound) {
    SleepMargin margin;
    for (int i = 0; i < 10'000; ++i) margin.learn(5ms);
    EXPECT_EQ(margin.now(), SleepMargin::longest);
}

TEST(SleepMargin, SinksWhileNothingSleepsSoThatSleepIsTriedAgain) {
    SleepMargin margin;
    margin.learn(5ms);
    const nanoseconds high = margin.now();
    for (int i = 0; i < 1'000; ++i) margin.relax();
    EXPECT_EQ(margin.now(), high - 20us);
}

}  // namespace
}  // namespace vbench
