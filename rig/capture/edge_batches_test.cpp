// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/edge_batches.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::capture {
namespace {

using wire::Edge;
using wire::Level;

struct Taken {
    std::size_t channel;
    Level initial;
    std::uint64_t until;
    std::vector<Edge> edges;
};

StretchSink into(std::vector<Taken>& taken) {
    return [&taken](const Stretch& each) {
        taken.push_back({each.channel, each.initial, each.until, {each.edges.begin(), each.edges.end()}});
    };
}

TEST(EdgeBatches, KeepTheLastLevelWithinASample) {
    std::vector<Taken> taken;
    const StretchSink sink = into(taken);
    EdgeBatches batches(1, sink);
    batches.set(0, 0, Level::low);
    batches.set(0, 0, Level::high);
    batches.set(0, 3, Level::low);
    batches.set(0, 3, Level::high);
    batches.set(0, 5, Level::low);
    batches.set(0, 6, Level::low);
    batches.finish(9);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].initial, Level::high);
    EXPECT_EQ(taken[0].until, 9U);
    EXPECT_EQ(taken[0].edges, (std::vector<Edge>{{SampleIndex{5}, Level::low}}));
}

TEST(EdgeBatches, HandOverBeforeMemoryGrows) {
    std::vector<Taken> taken;
    const StretchSink sink = into(taken);
    EdgeBatches batches(2, sink);
    for (std::uint64_t at = 1; at <= 100'000; ++at) batches.set(1, at, at % 2 == 1 ? Level::high : Level::low);
    batches.finish(100'001);
    ASSERT_EQ(taken.size(), 5U);
    EXPECT_EQ(taken[0].edges.size(), 32768U);
    EXPECT_EQ(taken[0].until, 32769U);
    EXPECT_EQ(taken[3].channel, 0U);
    EXPECT_TRUE(taken[3].edges.empty());
    EXPECT_EQ(taken[4].until, 100'001U);
}

TEST(EdgeBatches, HoldLessOfEachWhenThereAreMany) {
    std::vector<Taken> taken;
    const StretchSink sink = into(taken);
    EdgeBatches batches(100'000, sink);
    for (std::uint64_t at = 1; at <= 100; ++at) batches.set(7, at, at % 2 == 1 ? Level::high : Level::low);
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].edges.size(), 64U);
}

TEST(Selection, OfAChannelThatIsNotThereIsTheRigsFault) {
    const std::vector<std::size_t> selection{0, 3};
    EXPECT_NO_THROW(check_selection(selection, 4));
    EXPECT_THROW(check_selection(selection, 3), RigError);
}

}  // namespace
}  // namespace rig::capture
