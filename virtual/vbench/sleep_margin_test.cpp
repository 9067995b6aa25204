// SPDX-License-Identifier: GPL-3.0-or-later
#include "sleep_margin.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(SleepMargin, SettlesWhereNineSleepsOfTenEndInTime) {
    SleepMargin margin;
    for (int i = 0; i < 10'000; ++i) margin.learn(i % 20 == 0 ? 400us : 40us);
    EXPECT_GT(margin.now(), 38us);
    EXPECT_LT(margin.now(), 46us);
}

TEST(SleepMargin, StaysSmallWhereSleepsArePunctual) {
    SleepMargin margin;
    for (int i = 0; i < 10'000; ++i) margin.learn(1us);
    EXPECT_LT(margin.now(), 5us);
}

TEST(SleepMargin, NeverSpinsLongerThanItsBound) {
    SleepMargin margin;
    for (int i = 0; i < 10'000; ++i) margin.learn(5ms);
    EXPECT_EQ(margin.now(), SleepMargin::longest);
}

}  // namespace
}  // namespace vbench
