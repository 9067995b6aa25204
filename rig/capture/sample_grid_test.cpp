// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/sample_grid.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace rig::capture {
namespace {

/// Rates that analyzers offer, lowest first.
constexpr std::array device_rates{
    SampleRate{10'000},      SampleRate{20'000},      SampleRate{25'000},      SampleRate{50'000},
    SampleRate{100'000},     SampleRate{125'000},     SampleRate{200'000},     SampleRate{250'000},
    SampleRate{500'000},     SampleRate{1'000'000},   SampleRate{2'000'000},   SampleRate{2'500'000},
    SampleRate{3'125'000},   SampleRate{4'000'000},   SampleRate{5'000'000},   SampleRate{6'250'000},
    SampleRate{8'000'000},   SampleRate{10'000'000},  SampleRate{12'000'000},  SampleRate{12'500'000},
    SampleRate{16'000'000},  SampleRate{20'000'000},  SampleRate{24'000'000},  SampleRate{25'000'000},
    SampleRate{50'000'000},  SampleRate{100'000'000}, SampleRate{125'000'000}, SampleRate{250'000'000},
    SampleRate{500'000'000},
};

constexpr Femtoseconds nanosecond = 1'000'000;

/// Times of samples that a device took, rounded to `unit` as a file has them.
std::vector<Femtoseconds> rounded_times(std::uint64_t hz, Femtoseconds unit) {
    std::mt19937_64 random(hz);
    std::vector<Femtoseconds> times;
    std::uint64_t sample = 0;
    for (int i = 0; i < 200; ++i) {
        sample += 1 + random() % 1000;
        times.push_back((static_cast<Femtoseconds>(sample) * one_second / hz + unit / 2) / unit * unit);
    }
    return times;
}

std::optional<SampleRate> found(const std::vector<Femtoseconds>& times, Femtoseconds unit) {
    GridFinder finder(device_rates);
    for (const Femtoseconds time : times) finder.add(time, unit);
    return finder.rate();
}

TEST(GridFinder, FindsEveryRateOfADeviceInNanoseconds) {
    for (const SampleRate rate : device_rates)
        EXPECT_EQ(found(rounded_times(rate.hz, nanosecond), nanosecond), rate) << rate.hz;
}

TEST(GridFinder, FindsThemInLongCapturesAndFineUnits) {
    for (const SampleRate rate : device_rates) {
        auto times = rounded_times(rate.hz, one_picosecond);
        for (Femtoseconds& time : times) time += 100'000 * one_second;
        EXPECT_EQ(found(times, one_picosecond), rate) << rate.hz;
    }
}

TEST(GridFinder, FindsNoneForTimesOnNone) {
    EXPECT_EQ(found({3 * nanosecond, 8 * nanosecond, 17 * nanosecond}, nanosecond), std::nullopt);
}

TEST(GridFinder, IsNotMisledByOneTimeInACoarseUnit) {
    // 0.1 s is of a file that writes no more digits than it needs.
    GridFinder finder(device_rates);
    finder.add(one_second / 10, one_second / 10);
    finder.add(123'456'000 * one_picosecond, nanosecond);
    finder.add(123'460'000 * one_picosecond, nanosecond);
    EXPECT_EQ(finder.rate(), SampleRate{250'000'000});
}

TEST(SampleGrid, PutsTimesOnTheNearestSample) {
    const SampleGrid grid(SampleRate{24'000'000});
    EXPECT_EQ(grid.sample_at(0), 0U);
    EXPECT_EQ(grid.sample_at(42 * nanosecond), 1U);
    EXPECT_EQ(grid.sample_at(one_second + 41 * nanosecond), 24'000'001U);
    EXPECT_TRUE(grid.holds(longest_capture));
    EXPECT_FALSE(grid.holds(longest_capture + 1));
    EXPECT_FALSE(SampleGrid(SampleRate{1'000'000'000'000'000}).holds(longest_capture));
}

}  // namespace
}  // namespace rig::capture
