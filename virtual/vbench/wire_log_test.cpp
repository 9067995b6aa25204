// SPDX-License-Identifier: GPL-3.0-or-later
#include "wire_log.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

WireLog log_at_115200() {
    return {UartTiming(115200), Instant(0ns)};
}

TEST(LevelTrack, StoresOnlyChanges) {
    LevelTrack track(Level::high);
    track.set(1ns, Level::high);
    track.set(2ns, Level::low);
    track.set(3ns, Level::low);
    EXPECT_EQ(track.kept(), 1U);
    EXPECT_EQ(track.before(0), Level::high);
    EXPECT_EQ(track.before(1), Level::low);
}

TEST(LevelTrack, AnEdgeKeepsItsNumberWhenOlderOnesAreForgotten) {
    LevelTrack track(Level::high);
    track.set(1ns, Level::low);
    track.set(2ns, Level::high);
    track.set(3ns, Level::low);
    track.forget_until(2ns);
    EXPECT_EQ(track.kept(), 1U);
    EXPECT_EQ(track.end(), 3U);
    EXPECT_EQ(track.edge(2).at, 3ns);
    EXPECT_EQ(track.before(2), Level::high);
    EXPECT_EQ(track.first_after(2ns), 2U);
    EXPECT_EQ(track.first_after(3ns), 3U);
}

TEST(LevelTrack, AnEdgeReportedLateNeverComesBeforeTheOneReportedFirst) {
    LevelTrack track(Level::low);
    track.set(10ns, Level::high);
    track.set(8ns, Level::low);
    EXPECT_EQ(track.edge(1).at, 10ns);
}

TEST(WireLog, AFrameOfCapitalUAlternatesAtEveryBit) {
    WireLog log = log_at_115200();
    log.add_frame(Wire::tx, Instant(1ms), 'U');
    const LevelTrack& tx = log.track(Wire::tx);
    ASSERT_EQ(tx.kept(), 10U);
    for (int bit = 0; bit < 10; ++bit) {
        const Edge& edge = tx.edge(static_cast<std::uint64_t>(bit));
        EXPECT_EQ(edge.at, 1ms + UartTiming(115200).bits(bit));
        EXPECT_EQ(edge.level, bit % 2 == 0 ? Level::low : Level::high);
    }
}

TEST(WireLog, AFrameOfZeroIsLowUntilItsStopBit) {
    WireLog log = log_at_115200();
    log.add_frame(Wire::rx, Instant(0ns), 0);
    ASSERT_EQ(log.track(Wire::rx).kept(), 2U);
    EXPECT_EQ(log.track(Wire::rx).edge(1).at, UartTiming(115200).bits(9));
}

TEST(WireLog, ForgettingLeavesTheLevelOfEachWire) {
    WireLog log = log_at_115200();
    log.set_marker(Instant(1ms), Level::high);
    log.add_frame(Wire::tx, Instant(2ms), 'x');
    log.forget_until(Instant(10ms));
    EXPECT_EQ(log.track(Wire::marker).before(log.track(Wire::marker).end()), Level::high);
    EXPECT_EQ(log.track(Wire::tx).kept(), 0U);
    EXPECT_EQ(log.track(Wire::tx).before(log.track(Wire::tx).end()), Level::high);
}

}  // namespace
}  // namespace vbench
