// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/tick_counter.hpp"

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;
using target::TickModel;

/// A counter at 1 kHz whose ticks up to `at` have all been delivered.
TickCounter counter_at(TickModel model, picoseconds at) {
    TickCounter counter(TickRate{1000}, model, 0ms);
    while (counter.next() <= at) counter.deliver();
    return counter;
}

TEST(TickCounter, TicksComeAtTheirRateFromTheirPhase) {
    TickCounter counter(TickRate{300}, TickModel::catch_up, 7us);
    EXPECT_EQ(counter.next(), picoseconds{7us});
    for (int i = 0; i < 300; ++i) counter.deliver();
    EXPECT_EQ(counter.next(), picoseconds{1s + 7us});
    EXPECT_EQ(counter.counted(), 300U);
}

TEST(TickCounter, AllButOneOfASectionAreLostWhenTheTickIsPeriodic) {
    auto counter = counter_at(TickModel::one_per_interrupt, 100us);
    const auto before = counter.counted();
    const auto late = counter.deliver_late(23900us);
    EXPECT_EQ(late.due, 23U);
    EXPECT_EQ(late.lost, 22U);
    EXPECT_EQ(counter.counted() - before, 1U);
}

TEST(TickCounter, NoneIsLostWhenTheKernelCatchesUp) {
    auto counter = counter_at(TickModel::catch_up, 100us);
    const auto before = counter.counted();
    const auto late = counter.deliver_late(23900us);
    EXPECT_EQ(late.due, 23U);
    EXPECT_EQ(late.lost, 0U);
    EXPECT_EQ(counter.counted() - before, 23U);
}

TEST(TickCounter, ASectionBetweenTwoTicksDelaysNothing) {
    auto counter = counter_at(TickModel::one_per_interrupt, 100us);
    const auto late = counter.deliver_late(900us);
    EXPECT_EQ(late.due, 0U);
    EXPECT_EQ(late.lost, 0U);
}

}  // namespace
}  // namespace rig::sim
