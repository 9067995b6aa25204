// SPDX-License-Identifier: GPL-3.0-or-later
#include "sleep_margin.hpp"

#include <algorithm>

namespace vbench {

namespace {

// Up by nine steps for one sleep in ten, down by one for nine in ten: at rest at the 90th percentile.
constexpr nanoseconds step{200};
constexpr int steps_up = 9;

}  // namespace

void SleepMargin::learn(nanoseconds overshoot) {
    margin_ += overshoot > margin_ ? steps_up * step : -step;
    margin_ = std::clamp(margin_, shortest, longest);
}

}  // namespace vbench
