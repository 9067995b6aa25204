// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/waveform.hpp"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;
using wire::Level;

std::vector<int> take(Waveform& waveform, std::size_t count) {
    std::vector<std::byte> samples(count);
    waveform.fill(samples);
    std::vector<int> values;
    for (const auto sample : samples) values.push_back(std::to_integer<int>(sample));
    return values;
}

SampleClock mhz(true_time start = {}, RateError error = {}) {
    return {start, SampleRate{1'000'000}, error};
}

TEST(Waveform, AChangeShowsInTheFirstSampleAtOrAfterIt) {
    LevelTrace line(Level::low);
    line.set(Level::high, true_time{2us});
    line.set(Level::low, true_time{4us + picoseconds{1}});
    Waveform waveform(mhz(), {{&line, 0}});
    EXPECT_EQ(take(waveform, 8), (std::vector{0, 0, 1, 1, 1, 0, 0, 0}));
}

TEST(Waveform, APulseBetweenTwoSamplesIsNotSeen) {
    LevelTrace line(Level::high);
    line.set(Level::low, true_time{2us + picoseconds{1}});
    line.set(Level::high, true_time{3us - picoseconds{1}});
    Waveform waveform(mhz(), {{&line, 1}});
    EXPECT_EQ(take(waveform, 5), (std::vector{2, 2, 2, 2, 2}));
}

TEST(Waveform, TheCaptureBeginsWithTheLevelThatTheLineHasThen) {
    LevelTrace line(Level::high);
    line.set(Level::low, true_time{1us});
    line.set(Level::high, true_time{12us});
    Waveform waveform(mhz(true_time{10us}), {{&line, 0}});
    EXPECT_EQ(take(waveform, 4), (std::vector{0, 0, 1, 1}));
}

TEST(Waveform, BlocksOfAnyLengthJoinWithoutASeam) {
    LevelTrace line(Level::high);
    for (int i = 1; i < 60; ++i) line.set(i % 2 == 0 ? Level::high : Level::low, true_time{i * 1700ns});
    Waveform whole(mhz(), {{&line, 0}});
    Waveform pieces(mhz(), {{&line, 0}});
    const auto expected = take(whole, 100);
    std::vector<int> joined;
    for (const std::size_t length : {1U, 7U, 0U, 30U, 62U})
        std::ranges::copy(take(pieces, length), std::back_inserter(joined));
    EXPECT_EQ(joined, expected);
}

TEST(Waveform, LostSamplesMoveTheLaterOnesForward) {
    LevelTrace line(Level::low);
    line.set(Level::high, true_time{20us});
    Waveform waveform(mhz(), {{&line, 0}});
    take(waveform, 10);
    waveform.skip(8);
    EXPECT_EQ(take(waveform, 4), (std::vector{0, 0, 1, 1}));
}

TEST(Waveform, TheHeartbeatRunsOnTheSampleClockItself) {
    Waveform waveform(mhz({}, RateError::of_ppm(500)), {});
    waveform.add_heartbeat(3, 1000);
    const auto samples = take(waveform, 2000);
    for (std::size_t k = 0; k < samples.size(); ++k) EXPECT_EQ(samples[k], k / 500 % 2 == 0 ? 8 : 0) << k;
}

TEST(SampleClock, AnHourOfSamplesDoesNotDrift) {
    const SampleClock clock({}, SampleRate{24'000'000}, RateError::of_ppm(50));
    // 3600 s on a clock that is 50 ppm fast: 24 MHz · 3600 · 1.00005.
    EXPECT_EQ(clock.first_at(true_time{1h}), 86'404'320'000U);
    EXPECT_EQ(clock.time_of(86'404'320'000U), true_time{1h});
    EXPECT_EQ(clock.taken_by(true_time{1h}), 86'404'320'001U);
    EXPECT_EQ(clock.taken_by(true_time{1h} - picoseconds{1}), 86'404'320'000U);
}

TEST(LevelTrace, WhatIsCutNeverHappensAndWhatIsForgottenKeepsItsNumber) {
    LevelTrace line(Level::low);
    for (int i = 1; i <= 6; ++i) line.set(i % 2 == 0 ? Level::low : Level::high, true_time{i * 1us});
    line.forget_before(true_time{3us});
    EXPECT_EQ(line.first_at(true_time{4us}), 3U);
    EXPECT_EQ(line.level_before(2), Level::low);
    line.cut(true_time{3500ns}, Level::low);
    EXPECT_EQ(line.end(), 4U);
    EXPECT_EQ(line.change(3).at, true_time{3500ns});
}

}  // namespace
}  // namespace rig::sim
