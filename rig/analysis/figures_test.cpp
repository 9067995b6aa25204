// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/figures.hpp"

#include "rig/error.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace rig::analysis {
namespace {

TEST(Figures, ALineThroughExactPointsHasNoUncertainty) {
    const std::array<double, 4> x{1, 2, 3, 10};
    const std::array<double, 4> y{3, 5, 7, 21};
    const auto fit = fit_line(x, y);
    EXPECT_NEAR(fit.slope.value, 2, 1e-12);
    EXPECT_NEAR(fit.intercept.value, 1, 1e-12);
    EXPECT_NEAR(fit.slope.u, 0, 1e-12);
}

TEST(Figures, ScatterShowsInTheUncertaintyOfTheSlope) {
    const std::array<double, 4> x{0, 1, 2, 3};
    const std::array<double, 4> y{0.1, 0.9, 2.1, 2.9};
    const auto fit = fit_line(x, y);
    EXPECT_NEAR(fit.slope.value, 0.96, 1e-12);
    EXPECT_NEAR(fit.slope.u, std::sqrt(0.032 / 2 / 5), 1e-12);
}

TEST(Figures, TooFewPointsAreRefused) {
    const std::array<double, 3> same{1, 1, 1};
    const std::array<double, 3> y{1, 2, 3};
    EXPECT_THROW(fit_line(same, y), RigError);
    EXPECT_THROW(fit_line(std::span(y).first(2), std::span(y).first(2)), RigError);
}

TEST(Figures, QuantilesAreValuesThatWereSeen) {
    EXPECT_DOUBLE_EQ(quantile_of({3, 1, 2, 4}, 0.5), 2);
    EXPECT_DOUBLE_EQ(quantile_of({3, 1, 2, 4}, 1), 4);
    EXPECT_DOUBLE_EQ(quantile_of({3, 1, 2, 4}, 0), 1);
    EXPECT_DOUBLE_EQ(median_of({3, 1, 2, 4}), 2.5);
    EXPECT_THROW(median_of({}), RigError);
}

TEST(Figures, AFigureIsShownToThePlaceOfItsUncertainty) {
    EXPECT_EQ(show({0.02384123, 0.0000012}), "23.8412 ± 0.0024 ms");
    EXPECT_EQ(show({0.0000868, 0}), "86.8 us");
    EXPECT_EQ(show({1.5, 0.3}), "1.50 ± 0.60 s");
}

}  // namespace
}  // namespace rig::analysis
