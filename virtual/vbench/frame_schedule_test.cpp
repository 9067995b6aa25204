// SPDX-License-Identifier: GPL-3.0-or-later
#include "frame_schedule.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

Instant at(nanoseconds time) {
    return Instant(time);
}

FrameSchedule schedule_with_gap_bound(nanoseconds bound) {
    return {UartTiming(115200), bound};
}

TEST(FrameSchedule, AByteOnAnIdleWireStartsWhenItIsSeen) {
    auto schedule = schedule_with_gap_bound(400us);
    const auto frame = schedule.begin(at(1ms), at(1ms));
    EXPECT_EQ(frame.at, at(1ms));
    EXPECT_EQ(frame.lateness, 0ns);
    EXPECT_EQ(schedule.end(), at(1ms + 86806ns));
}

TEST(FrameSchedule, AWaitingByteFollowsBackToBackAlthoughThePacerLookedLate) {
    auto schedule = schedule_with_gap_bound(400us);
    schedule.begin(at(0ns), at(0ns));
    const auto frame = schedule.begin(at(100us), at(100us));
    EXPECT_EQ(frame.at, at(86806ns));
    EXPECT_EQ(frame.lateness, 100us - 86806ns);
}

TEST(FrameSchedule, ABurstOfThousandsOfFramesKeepsTheNominalPace) {
    auto schedule = schedule_with_gap_bound(400us);
    for (int i = 0; i < 11520; ++i) {
        const Instant due = i == 0 ? at(0ns) : schedule.end();
        schedule.begin(due, due);
    }
    EXPECT_EQ(schedule.end(), at(1s));
}

TEST(FrameSchedule, APacerLaterThanTheBoundLeavesATrueGap) {
    auto schedule = schedule_with_gap_bound(400us);
    schedule.begin(at(0ns), at(0ns));
    const auto frame = schedule.begin(at(600us), at(600us));
    EXPECT_EQ(frame.at, at(600us));
    EXPECT_EQ(frame.lateness, 600us - 86806ns);
    EXPECT_EQ(schedule.begin(schedule.end(), schedule.end()).at, at(600us + 86806ns));
}

TEST(FrameSchedule, APauseInWhichNothingWaitedIsNoSlip) {
    auto schedule = schedule_with_gap_bound(400us);
    schedule.begin(at(0ns), at(0ns));
    schedule.rest();
    const auto frame = schedule.begin(at(5ms), at(5ms));
    EXPECT_EQ(frame.at, at(5ms));
    EXPECT_EQ(frame.lateness, 0ns);
}

TEST(FrameSchedule, AStallBeforeTheFirstByteOfABurstIsASlipToo) {
    auto schedule = schedule_with_gap_bound(400us);
    const auto frame = schedule.begin(at(1ms), at(4ms));
    EXPECT_EQ(frame.at, at(4ms));
    EXPECT_EQ(frame.lateness, 3ms);
}

}  // namespace
}  // namespace vbench
