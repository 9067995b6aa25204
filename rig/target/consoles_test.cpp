// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/consoles.hpp"

#include <gtest/gtest.h>

namespace rig::target {
namespace {

TEST(Consoles, AreReadWithTheirFlags) {
    const auto consoles = parse_consoles(
        "ttyAMA0              -W- (EC p a)  204:64\ntty0                 -WU (E       )    4:7\n"
        "pl11                 -W- (EB   a)\nttyS0                -W- (EN p a)    4:64\n");
    ASSERT_EQ(consoles.size(), 4U);
    EXPECT_EQ(consoles[0].device, "ttyAMA0");
    EXPECT_TRUE(consoles[0].enabled() && consoles[0].preferred() && consoles[0].serial());
    EXPECT_FALSE(consoles[0].boot() || consoles[0].nbcon());
    EXPECT_FALSE(consoles[1].serial());
    EXPECT_TRUE(consoles[2].boot());
    EXPECT_TRUE(consoles[3].nbcon() && consoles[3].serial());
}

TEST(Consoles, WhatIsNoConsoleIsLeftOut) {
    EXPECT_TRUE(parse_consoles("\ncat: nothing\n").empty());
}

}  // namespace
}  // namespace rig::target
