// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/time/quantity.hpp"

#include <gtest/gtest.h>

namespace rig {
namespace {

using namespace std::chrono_literals;

TEST(Quantity, DurationsCarryTheirUnit) {
    EXPECT_EQ(parse_duration("500 us").value(), 500us);
    EXPECT_EQ(parse_duration("500us").value(), 500us);
    EXPECT_EQ(parse_duration(" 1.5 ms ").value(), 1500us);
    EXPECT_EQ(parse_duration("2 min").value(), 120s);
}

TEST(Quantity, ABareNumberIsRefusedWithAnExample) {
    EXPECT_EQ(parse_duration("500").error(), "wants a unit (try '500 us')");
    EXPECT_EQ(parse_frequency("4000000").error(), "wants a unit (try '4 MHz')");
    EXPECT_EQ(parse_tolerance("3").error(), "wants a unit (try '3 % + 500 us')");
}

TEST(Quantity, AWrongUnitIsNamed) {
    EXPECT_EQ(parse_duration("5 MHz").error(), "'MHz' is not a unit of duration (try '500 us')");
    EXPECT_EQ(parse_duration("soon").error(), "'soon' is not a duration (try '500 us')");
}

TEST(Quantity, InfiniteNegativeAndHugeValuesAreRefused) {
    EXPECT_FALSE(parse_duration("inf s"));
    EXPECT_FALSE(parse_duration("nan s"));
    EXPECT_FALSE(parse_duration("-1 s"));
    EXPECT_FALSE(parse_duration("1e300 s"));
    EXPECT_FALSE(parse_frequency("0 Hz"));
    EXPECT_FALSE(parse_frequency("0.5 Hz"));
    EXPECT_FALSE(parse_ratio("-3 %"));
}

TEST(Quantity, AToleranceIsAShareAndAFixedPart) {
    const auto tolerance = parse_tolerance("3 % + 500 us").value();
    EXPECT_DOUBLE_EQ(tolerance.relative, 0.03);
    EXPECT_EQ(tolerance.absolute, 500us);
    EXPECT_NEAR(tolerance.allowed_s(0.0238, 86.8e-6), 0.001214, 1e-12);
}

TEST(Quantity, AToleranceThatSaysNothingIsRefused) {
    EXPECT_EQ(parse_tolerance("").error(), "'' is not a tolerance (try '3 % + 500 us')");
    EXPECT_EQ(parse_tolerance("3 % +").error(), "'3 % +' is not a tolerance (try '3 % + 500 us')");
    EXPECT_FALSE(parse_tolerance("+ 3 %"));
}

TEST(Quantity, SampleTimesDoNotDriftInAnHourOfCapture) {
    const SampleRate rate{24'000'000};
    const SampleIndex hour{rate.hz * 3600};
    EXPECT_EQ(time_of(hour, rate).time_since_epoch(), picoseconds{std::chrono::hours{1}});
}

}  // namespace
}  // namespace rig
