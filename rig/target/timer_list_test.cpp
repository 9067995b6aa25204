// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/timer_list.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::target {
namespace {

using namespace std::chrono_literals;

TEST(TimerList, AReadingIsATimeAndTheJiffiesBehindIt) {
    const auto readings = parse_tick_readings(
        "now at 2035737000 nsecs\njiffies: 4294669196\njiffies: 4294669196\nnow at 3063040000 nsecs\n"
        "jiffies: 4294670222\n");
    ASSERT_EQ(readings.size(), 2U);
    EXPECT_EQ(readings[0].now, 2035737000ns);
    EXPECT_EQ(readings[1].jiffies, 4294670222U);
    EXPECT_EQ(jiffies_between(readings[0], readings[1]).count, 1026);
}

TEST(TimerList, A32BitCounterWrapsFiveMinutesAfterBoot) {
    EXPECT_EQ(jiffies_between({0ns, 4294967290U}, {20ms, 14}).count, 20);
}

TEST(TimerList, A64BitCounterGoesOn) {
    EXPECT_EQ(jiffies_between({0ns, 4294967290U}, {20ms, 4294967310U}).count, 20);
}

TEST(TimerList, AKernelWithoutOneshotTicksGivesNoReading) {
    EXPECT_TRUE(parse_tick_readings("now at 2035737000 nsecs\n").empty());
}

TEST(TimerList, ADamagedLineIsNamed) {
    try {
        parse_tick_readings("now at 20357x7000 nsecs\n");
        FAIL();
    } catch (const DutError& error) {
        EXPECT_STREQ(error.what(), "/proc/timer_list:1: 'now at 20357x7000 nsecs' is not 'now at N nsecs'");
    }
}

TEST(TimerList, ATimeBeforeBootIsNone) {
    EXPECT_THROW(parse_tick_readings("now at -9223372036854775808 nsecs\njiffies: 1\n"), DutError);
    EXPECT_THROW(parse_tick_readings("now at 99999999999999999999 nsecs\n"), DutError);
    EXPECT_THROW(parse_tick_readings("jiffies: -1\n"), DutError);
}

TEST(TimerList, TheFirstCpusDeviceTellsTheModelNotTheBroadcastOne) {
    const std::string broadcast =
        "Tick Device: mode:     0\nBroadcast device\nClock Event Device: b\n mode:           2\n";
    const std::string cpu = "Tick Device: mode:     1\nPer CPU device: 0\nClock Event Device: t\n mode:           3\n";
    EXPECT_EQ(parse_tick_model(broadcast + cpu), TickModel::catch_up);
    EXPECT_EQ(parse_tick_model("Per CPU device: 0\n mode:           2\n"), TickModel::one_per_interrupt);
    EXPECT_EQ(parse_tick_model(broadcast), std::nullopt);
}

TEST(TimerList, TheRateIsTheOneThatKernelsAreBuiltWith) {
    EXPECT_EQ(tick_rate_between({0s, 100}, {1s, 1097})->hz, 1000U);  // three ticks were lost
    EXPECT_EQ(tick_rate_between({0s, 100}, {1s, 350})->hz, 250U);
    EXPECT_EQ(tick_rate_between({0s, 100}, {1s, 200})->hz, 100U);
    EXPECT_EQ(tick_rate_between({0s, 100}, {1s, 800}), std::nullopt);
    EXPECT_EQ(tick_rate_between({1s, 100}, {1s, 100}), std::nullopt);
}

TEST(KernelConfig, StatesHz) {
    EXPECT_EQ(parse_tick_rate("CONFIG_NO_HZ_IDLE=y\nCONFIG_HZ=250\n")->hz, 250U);
    EXPECT_EQ(parse_tick_rate("CONFIG_HZ_1000=y\n"), std::nullopt);
}

}  // namespace
}  // namespace rig::target
