// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/edges.hpp"

#include "rig/error.hpp"
#include "rig/wire/generate.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

constexpr SampleRate one_mhz{1'000'000};

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (const int value : values) result.push_back(static_cast<std::byte>(value));
    return result;
}

Trace scan(std::span<const std::byte> samples, std::size_t unitsize, unsigned bit, std::size_t block) {
    EdgeScanner scanner(unitsize, bit);
    for (std::size_t at = 0; at < samples.size(); at += block)
        scanner.feed(samples.subspan(at, std::min(block, samples.size() - at)));
    return std::move(scanner).finish(one_mhz);
}

/// A line with idle stretches of all lengths around the word and stride sizes.
Trace random_trace(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Trace trace{one_mhz, 0, random() % 2 == 0 ? Level::low : Level::high, {}};
    Level level = trace.initial;
    std::uint64_t at = 1 + random() % 40;
    for (int i = 0; i < 200; ++i) {
        level = opposite(level);
        trace.edges.push_back({SampleIndex{at}, level});
        at += random() % 3 == 0 ? 1 : 1 + random() % 90;
    }
    trace.samples = at;
    return trace;
}

TEST(EdgeScanner, NamesTheFirstSampleAtTheNewLevel) {
    const Trace trace = scan(bytes({0, 0, 1, 1, 0}), 1, 0, 5);
    EXPECT_EQ(trace.initial, Level::low);
    EXPECT_EQ(trace.samples, 5U);
    ASSERT_EQ(trace.edges.size(), 2U);
    EXPECT_EQ(trace.edges[0], (Edge{SampleIndex{2}, Level::high}));
    EXPECT_EQ(trace.edges[1], (Edge{SampleIndex{4}, Level::low}));
}

TEST(EdgeScanner, SeesOnlyItsOwnBit) {
    const auto samples = bytes({0xfd, 0x02, 0xff, 0x00, 0x02});
    const Trace trace = scan(samples, 1, 1, 5);
    EXPECT_EQ(trace.initial, Level::low);
    ASSERT_EQ(trace.edges.size(), 3U);
    EXPECT_EQ(trace.edges[1].at, SampleIndex{3});
}

TEST(EdgeScanner, FindsEveryEdgeForAnyUnitBitAndBlockLength) {
    for (const std::size_t unitsize : {1U, 2U, 3U, 4U, 5U, 8U}) {
        const unsigned bits[] = {0, static_cast<unsigned>(8 * unitsize - 1)};
        for (const unsigned bit : bits) {
            const Trace trace = random_trace(unitsize * 100 + bit);
            const Lane lane{&trace, bit};
            const auto samples = to_samples(std::span(&lane, 1), unitsize, SampleIndex{0}, trace.samples);
            for (const std::size_t block : {1U, 3U, 7U, 64U, 4096U})
                EXPECT_EQ(scan(samples, unitsize, bit, block), trace) << unitsize << " " << bit << " " << block;
        }
    }
}

TEST(EdgeScanner, HandsOverEdgesWhileTheStreamGoesOn) {
    EdgeScanner scanner(1, 0);
    scanner.feed(bytes({0, 1}));
    EXPECT_EQ(scanner.take_edges().size(), 1U);
    scanner.feed(bytes({1, 0}));
    const auto later = scanner.take_edges();
    ASSERT_EQ(later.size(), 1U);
    EXPECT_EQ(later[0], (Edge{SampleIndex{3}, Level::low}));
}

TEST(EdgeScanner, RefusesAStreamThatEndsInsideASample) {
    EdgeScanner scanner(2, 0);
    scanner.feed(bytes({0, 0, 1}));
    EXPECT_THROW((void)std::move(scanner).finish(one_mhz), BenchError);
}

TEST(EdgeScanner, RefusesUnitsAndBitsThatDoNotExist) {
    EXPECT_THROW(EdgeScanner(0, 0), RigError);
    EXPECT_THROW(EdgeScanner(9, 0), RigError);
    EXPECT_THROW(EdgeScanner(2, 16), RigError);
}

}  // namespace
}  // namespace rig::wire
