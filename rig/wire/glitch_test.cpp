// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/glitch.hpp"

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

/// A line from the lengths of its pulses, low first; 8 samples make a bit.
Trace pulses(std::initializer_list<std::uint64_t> lengths) {
    Trace trace{SampleRate{1'000'000}, 0, Level::low, {}};
    Level level = Level::low;
    for (const std::uint64_t length : lengths) {
        if (trace.samples != 0) trace.edges.push_back({SampleIndex{trace.samples}, level});
        trace.samples += length;
        level = opposite(level);
    }
    return trace;
}

constexpr picoseconds eight_samples{8'000'000};

std::vector<std::uint64_t> edges_of(const CleanLine& line) {
    std::vector<std::uint64_t> at;
    for (const Edge& edge : line.edges) at.push_back(edge.at.value);
    return at;
}

using Places = std::vector<std::uint64_t>;

TEST(Glitch, APulseOfAQuarterBitGoesAwayAndIsReported) {
    const CleanLine line = remove_glitches(pulses({16, 2, 16, 8}), eight_samples);
    EXPECT_EQ(edges_of(line), (Places{34}));
    ASSERT_EQ(line.glitches.size(), 1U);
    EXPECT_EQ(line.glitches[0], (Glitch{SampleIndex{16}, 2}));
}

TEST(Glitch, APulseOfThreeEighthsOfABitStays) {
    const CleanLine line = remove_glitches(pulses({16, 3, 16, 8}), eight_samples);
    EXPECT_EQ(edges_of(line), (Places{16, 19, 35}));
    EXPECT_TRUE(line.glitches.empty());
}

TEST(Glitch, ABounceBecomesOneEdgeThatKeepsTheTimeAtEachLevel) {
    const CleanLine line = remove_glitches(pulses({16, 1, 1, 16}), eight_samples);
    EXPECT_EQ(edges_of(line), (Places{17}));
    EXPECT_EQ(line.glitches.size(), 1U);
}

TEST(Glitch, ASpikeSplitsABitIntoTwoShortPulsesThatBelongTogether) {
    // Five samples high with a one-sample hole in them: the hole is the glitch, not the bit.
    const CleanLine line = remove_glitches(pulses({16, 2, 1, 2, 16}), eight_samples);
    EXPECT_EQ(edges_of(line), (Places{16, 21}));
    ASSERT_EQ(line.glitches.size(), 1U);
    EXPECT_EQ(line.glitches[0], (Glitch{SampleIndex{18}, 1}));
}

TEST(Glitch, ALineThatIsFastAllOverIsLeftToTheVote) {
    const CleanLine line = remove_glitches(pulses({16, 2, 2, 2, 2, 2, 2, 16}), eight_samples);
    EXPECT_EQ(line.edges.size(), 7U);
    EXPECT_EQ(line.glitches.size(), 3U);
}

TEST(Glitch, ALineIsCleanWhenThereIsNothingToTakeOut) {
    // 3/8 of eight samples are three.
    EXPECT_TRUE(is_clean(pulses({16, 3, 8, 16}), eight_samples));
    EXPECT_FALSE(is_clean(pulses({16, 2, 8, 16}), eight_samples));
    EXPECT_TRUE(is_clean(pulses({1, 16, 1}), eight_samples));
}

TEST(Glitch, WhatTheCaptureCutsMayBeLongAndStays) {
    const CleanLine line = remove_glitches(pulses({1, 16, 1}), eight_samples);
    EXPECT_EQ(edges_of(line), (Places{1, 17}));
}

}  // namespace
}  // namespace rig::wire
