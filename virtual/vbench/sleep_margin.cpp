// SPDX-License-Identifier: GPL-3.0-or-later
#include "sleep_margin.hpp"

#include <algorithm>

namespace vbench {

namespace {

// Up by 99 steps for one sleep in a hundred, down by one for 99 in a hundred: at rest at the 99th percentile.
constexpr nanoseconds step{200};
constexpr int steps_up = 99;

// A margin one step_up too long is worked off in about a thousand waits without sleep.
constexpr nanoseconds relaxation{20};

}  // namespace

void SleepMargin::learn(nanoseconds overshoot) {
    margin_ += overshoot > margin_ ? steps_up * step : -step;
    margin_ = std::clamp(margin_, shortest, longest);
}

void SleepMargin::relax() {
    margin_ = std::max(margin_ - relaxation, shortest);
}

}  // namespace vbench
