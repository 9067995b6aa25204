// SPDX-License-Identifier: GPL-3.0-or-later
#include "time.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(UartTiming, AFrameAt115200BaudIs86805Point6Nanoseconds) {
    EXPECT_EQ(UartTiming(115200).frames(1), 86806ns);
    EXPECT_EQ(UartTiming(115200).bits(10), Picoseconds(86'805'556));
}

TEST(UartTiming, AMillionFramesDoNotDrift) {
    EXPECT_EQ(UartTiming(115200).frames(1'152'000), nanoseconds(100'000'000'000));
}

TEST(UartTiming, ARateOfZeroIsRefused) {
    EXPECT_THROW(UartTiming(0), std::invalid_argument);
}

TEST(SampleClock, AnEdgeShowsInTheFirstSampleAtOrAfterIt) {
    const SampleClock clock(1'000'000);
    EXPECT_EQ(clock.first_at_or_after(Picoseconds(0)), 0U);
    EXPECT_EQ(clock.first_at_or_after(Picoseconds(1)), 1U);
    EXPECT_EQ(clock.first_at_or_after(Picoseconds(1'000'000)), 1U);
    EXPECT_EQ(clock.first_at_or_after(Picoseconds(1'000'001)), 2U);
}

TEST(SampleClock, AnEdgeBeforeTheStartShowsInSampleZero) {
    EXPECT_EQ(SampleClock(10).first_at_or_after(Picoseconds(-5)), 0U);
}

TEST(SampleClock, IsExactAfterAnHourAtARateThatDoesNotDivideASecond) {
    const SampleClock clock(24'000'000);
    const Picoseconds hour = std::chrono::hours(1);
    EXPECT_EQ(clock.first_at_or_after(hour), 86'400'000'000U);
    EXPECT_EQ(clock.first_at_or_after(hour + Picoseconds(1)), 86'400'000'001U);
    EXPECT_EQ(clock.time_of(86'400'000'000U), hour);
}

TEST(SampleClock, SampleZeroIsTakenAtTheStart) {
    const SampleClock clock(1'000);
    EXPECT_EQ(clock.taken_by(Picoseconds(-1)), 0U);
    EXPECT_EQ(clock.taken_by(Picoseconds(0)), 1U);
    EXPECT_EQ(clock.taken_by(Picoseconds(999'999'999)), 1U);
    EXPECT_EQ(clock.taken_by(Picoseconds(1'000'000'000)), 2U);
}

}  // namespace
}  // namespace vbench
