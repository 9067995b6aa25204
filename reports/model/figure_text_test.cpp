// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/figure_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace rig::reports {
namespace {

TEST(FigureText, ShowsTwoStandardUncertaintiesWithTwoDigits) {
    EXPECT_EQ(figure_text({0.0238431, 6.2e-6}, milliseconds), "23.843 ± 0.012 ms");
    EXPECT_EQ(figure_text({86.8055e-6, 4.5e-9}, microseconds), "86.8055 ± 0.0090 us");
    EXPECT_EQ(figure_text({22.57, 0.41}, ticks), "22.57 ± 0.82 ticks");
}

TEST(FigureText, HasNoSecondHalfWhereNoUncertaintyIsKnown) {
    EXPECT_EQ(figure_text({0.02384, 0}, milliseconds), "23.84 ms");
}

TEST(FigureText, AgreesWithTheAnalysis) {
    const Figure figure{0.0238431, 6.2e-6};
    EXPECT_EQ(duration_text(figure), figure_text(figure, milliseconds));
}

TEST(FigureText, NeverRoundsAnUncertaintyToNothing) {
    const auto halves = figure_halves({0.0238431, 1e-9}, milliseconds, 2);
    EXPECT_EQ(halves.value, "23.84");
    EXPECT_EQ(halves.expanded, "0.01");
}

TEST(FigureText, SaysWhenAFigureIsNoNumber) {
    EXPECT_EQ(figure_halves({std::numeric_limits<double>::quiet_NaN(), 1}, seconds).value, "not a number");
}

TEST(ShortNumber, DropsZerosAndTheSignOfZero) {
    EXPECT_EQ(short_number(12.50, 2), "12.5");
    EXPECT_EQ(short_number(3.0, 1), "3");
    EXPECT_EQ(short_number(-0.01, 1), "0");
    EXPECT_EQ(short_number(-0.2, 0), "0");
    EXPECT_EQ(short_number(100, 0), "100");
}

TEST(CountText, GroupsDigitsByThree) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(115200), "115 200");
    EXPECT_EQ(count_text(1234567), "1 234 567");
}

}  // namespace
}  // namespace rig::reports
