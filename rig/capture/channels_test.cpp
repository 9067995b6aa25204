// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/source.hpp"
#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::capture {
namespace {

const std::vector<Channel> three{{"tx", 0}, {"D0", 4}, {"7", 5}};

TEST(FindChannel, PrefersANameToABit) {
    EXPECT_EQ(find_channel(three, "tx", "a.vcd"), 0U);
    EXPECT_EQ(find_channel(three, "D0", "a.vcd"), 1U);
    EXPECT_EQ(find_channel(three, "7", "a.vcd"), 2U);
}

TEST(FindChannel, TakesABitWithOrWithoutD) {
    EXPECT_EQ(find_channel(three, "0", "a.vcd"), 0U);
    EXPECT_EQ(find_channel(three, "D4", "a.vcd"), 1U);
    EXPECT_EQ(find_channel(three, "5", "a.vcd"), 2U);
}

TEST(FindChannel, ListsTheChannelsWhenNoneIsMeant) {
    for (const char* name : {"rx", "D7", "", "D", "-1", "99999999999999999999"}) {
        try {
            (void)find_channel(three, name, "a.vcd");
            ADD_FAILURE() << name;
        } catch (const PlanError& error) {
            EXPECT_EQ(error.what(), "a.vcd: has no channel '" + std::string(name) + "'");
            EXPECT_EQ(error.hint(), "its channels are: tx, D0, 7");
        }
    }
}

TEST(FindChannel, ListsNoMoreThanATerminalShows) {
    const std::vector<Channel> many(40, Channel{"x", 0});
    try {
        (void)find_channel(many, "rx", "a.vcd");
        ADD_FAILURE();
    } catch (const PlanError& error) {
        EXPECT_TRUE(error.hint().ends_with("x, x and 8 more")) << error.hint();
    }
}

}  // namespace
}  // namespace rig::capture
