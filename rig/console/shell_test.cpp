// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/shell.hpp"

#include <gtest/gtest.h>

namespace rig::console {
namespace {

TEST(Shell, TheEchoOfACommandIsNotItsReply) {
    const std::string typed = frame_command("cat /proc/uptime", "7f");
    EXPECT_FALSE(find_reply("~ # " + typed + "\r\n", "7f"));
}

TEST(Shell, AReplyIsWhatStandsBetweenItsMarkers) {
    const auto reply = find_reply("~ # …\r\n@B7f@\r\nfirst\r\nsecond\r\n@E7f:3@\r\n~ # ", "7f").value();
    EXPECT_EQ(reply.output, "first\nsecond\n");
    EXPECT_EQ(reply.exit_code, 3);
    EXPECT_EQ(reply.intact(), std::nullopt);
}

TEST(Shell, TheReplyOfAnotherCommandIsNotTaken) {
    EXPECT_FALSE(find_reply("@B7e@\r\nx\r\n@E7e:0@\r\n", "7f"));
}

TEST(Shell, AnUnfinishedReplyIsNotYetAReply) {
    EXPECT_FALSE(find_reply("@B7f@\r\nx\r\n@E7f:0", "7f"));
}

TEST(Shell, AFileWithItsChecksumIsIntact) {
    const auto reply = find_reply("@B7f@\r\nhello\r\n@E7f:0:b1946ac92492d2347c6235b4d2611184  -@\r\n", "7f").value();
    EXPECT_EQ(reply.output, "hello\n");
    EXPECT_EQ(reply.intact(), true);
}

TEST(Shell, AKernelLineInsideAFileBreaksItsChecksum) {
    const auto reply =
        find_reply("@B7f@\r\nhel[    1.0] x\r\nlo\r\n@E7f:0:b1946ac92492d2347c6235b4d2611184  -@\r\n", "7f").value();
    EXPECT_EQ(reply.intact(), false);
}

TEST(Shell, ATargetWithoutAnyChecksumIsTakenAtItsWord) {
    EXPECT_EQ(find_reply("@B7f@\r\nx\r\n@E7f:0:@\r\n", "7f").value().intact(), std::nullopt);
}

TEST(Shell, AnEchoMayHaveAKernelLineInItsMiddleButMustNotLoseACharacter) {
    EXPECT_TRUE(echoes("sy[    1.0] x\r\nnc", "sync"));
    EXPECT_FALSE(echoes("ync", "sync"));
}

TEST(Shell, TheDigestIsTheOneOfMd5sum) {
    EXPECT_EQ(md5_digest(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(md5_digest("hello\n"), "b1946ac92492d2347c6235b4d2611184");
}

TEST(Shell, ACommandForTheBackgroundHasNoSemicolonBehindIt) {
    EXPECT_EQ(frame_command("sleep 9 & ", "7f"), "echo \"@B\"\"7f@\"; sleep 9 &  echo \"@E\"\"7f:$?@\"");
    EXPECT_EQ(frame_command("true", "7f"), "echo \"@B\"\"7f@\"; true; echo \"@E\"\"7f:$?@\"");
}

}  // namespace
}  // namespace rig::console
