// SPDX-License-Identifier: GPL-3.0-or-later
#include "spsc_ring.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace vbench {
namespace {

TEST(SpscRing, GivesBackInOrder) {
    SpscRing<int, 4> ring;
    EXPECT_TRUE(ring.push(1));
    EXPECT_TRUE(ring.push(2));
    EXPECT_EQ(ring.pop(), 1);
    EXPECT_EQ(ring.pop(), 2);
    EXPECT_EQ(ring.pop(), std::nullopt);
}

TEST(SpscRing, RefusesWhatItCannotHoldAndLeavesTheValueAlone) {
    SpscRing<std::unique_ptr<int>, 2> ring;
    EXPECT_TRUE(ring.push(std::make_unique<int>(1)));
    EXPECT_TRUE(ring.push(std::make_unique<int>(2)));
    auto third = std::make_unique<int>(3);
    EXPECT_FALSE(ring.push(std::move(third)));
    ASSERT_TRUE(third);
    EXPECT_EQ(**ring.pop(), 1);
    EXPECT_TRUE(ring.push(std::move(third)));
}

TEST(SpscRing, NothingIsLostOrSwappedBetweenTwoThreads) {
    constexpr int count = 100'000;
    SpscRing<int, 64> ring;
    std::jthread producer([&ring] {
        for (int value = 0; value < count;) {
            if (ring.push(auto(value))) {
                ++value;
            } else {
                std::this_thread::yield();
            }
        }
    });
    for (int expected = 0; expected < count;) {
        if (const auto value = ring.pop()) {
            ASSERT_EQ(*value, expected++);
        } else {
            std::this_thread::yield();
        }
    }
}

}  // namespace
}  // namespace vbench
