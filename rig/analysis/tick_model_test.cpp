// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/tick_model.hpp"

#include <array>

#include <gtest/gtest.h>

namespace rig::analysis {
namespace {

using namespace std::chrono_literals;
using target::TickModel;

target::IrqOffEvent section(std::chrono::nanoseconds duration) {
    target::IrqOffEvent event;
    event.section.duration = duration;
    return event;
}

TEST(LostTicks, AllButOneOfASectionAreLostWhenTheTickIsPeriodic) {
    const std::array sections{section(24348us)};
    const auto lost = predict_lost_ticks(sections, TickRate{1000}, TickModel::one_per_interrupt);
    EXPECT_EQ(lost.least.count, 23);
    EXPECT_EQ(lost.most.count, 24);
}

TEST(LostTicks, TheShorterSectionOfThe2007ReportLosesFiveOrSix) {
    const std::array sections{section(6440us)};
    const auto lost = predict_lost_ticks(sections, TickRate{1000}, TickModel::one_per_interrupt);
    EXPECT_EQ(lost.least.count, 5);
    EXPECT_EQ(lost.most.count, 6);
}

TEST(LostTicks, NoneAreLostWhereTheKernelCatchesUp) {
    const std::array sections{section(24348us)};
    const auto lost = predict_lost_ticks(sections, TickRate{1000}, TickModel::catch_up);
    EXPECT_EQ(lost.least.count, 0);
    EXPECT_EQ(lost.most.count, 0);
}

TEST(LostTicks, ASectionShorterThanATickLosesNone) {
    const std::array sections{section(900us), section(100us)};
    const auto lost = predict_lost_ticks(sections, TickRate{1000}, TickModel::one_per_interrupt);
    EXPECT_EQ(lost.least.count, 0);
    EXPECT_EQ(lost.most.count, 0);
}

TEST(LostTicks, SectionsAddUpAndHzCounts) {
    const std::array sections{section(24348us), section(6440us)};
    EXPECT_EQ(predict_lost_ticks(sections, TickRate{1000}, TickModel::one_per_interrupt).least.count, 28);
    EXPECT_EQ(predict_lost_ticks(sections, TickRate{100}, TickModel::one_per_interrupt).most.count, 2);
}

}  // namespace
}  // namespace rig::analysis
