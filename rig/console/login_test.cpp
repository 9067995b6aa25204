// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/login.hpp"

#include <gtest/gtest.h>

namespace rig::console {
namespace {

TEST(Login, AQuestionIsTheLastLine) {
    EXPECT_EQ(find_question("Debian GNU/Linux 12 beagle ttyS0\r\n\r\nbeagle login: "), Question::name);
    EXPECT_EQ(find_question("beagle login: me\r\nPassword: "), Question::password);
    EXPECT_EQ(find_question("beagle login: me\r\n"), std::nullopt);
    EXPECT_EQ(find_question("login: \r\n[    9.1] random: crng init done\r\n"), std::nullopt);
    EXPECT_EQ(find_question(""), std::nullopt);
}

TEST(Login, ARefusalIsSeenFromWhereItIsLookedFor) {
    const std::string_view bytes = "Login incorrect\r\nlogin: ";
    EXPECT_TRUE(finds_refusal(bytes, 0));
    EXPECT_FALSE(finds_refusal(bytes, 16));
    EXPECT_FALSE(finds_refusal(bytes, 1000));
}

}  // namespace
}  // namespace rig::console
