// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/terminal.hpp"

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

/// Types all of it; the echo, and the last finished line.
struct Typed {
    std::string echo;
    std::optional<std::string> line;
};
Typed type(Terminal& terminal, std::string_view text) {
    Typed typed;
    for (const char c : text) {
        auto reaction = terminal.type(c);
        typed.echo += reaction.echo;
        if (reaction.line) typed.line = reaction.line;
    }
    return typed;
}

TEST(Terminal, WhatIsTypedIsEchoedAndReturnFinishesTheLine) {
    Terminal terminal;
    const auto typed = type(terminal, "sync\r");
    EXPECT_EQ(typed.echo, "sync\r\n");
    EXPECT_EQ(typed.line.value(), "sync");
}

TEST(Terminal, BackspaceTakesOneCharacterAndCtrlUAll) {
    Terminal terminal;
    EXPECT_EQ(type(terminal, "sybc\x7f\x7fnc\r").line.value(), "sync");
    EXPECT_EQ(type(terminal, "rubbish\x15true\r").line.value(), "true");
    EXPECT_EQ(type(terminal, "\x7f").echo, "");
}

TEST(Terminal, CtrlCDropsTheLineAndAsksForAPrompt) {
    Terminal terminal;
    type(terminal, "rubbish");
    const auto reaction = terminal.type('\x03');
    EXPECT_TRUE(reaction.interrupted);
    EXPECT_EQ(reaction.echo, "^C\r\n");
    EXPECT_EQ(type(terminal, "true\r").line.value(), "true");
}

TEST(Terminal, WithoutEchoALineIsReadAllTheSame) {
    Terminal terminal;
    terminal.set_echo(Terminal::Echo::off);
    const auto typed = type(terminal, "sync\r");
    EXPECT_EQ(typed.echo, "");
    EXPECT_EQ(typed.line.value(), "sync");
}

TEST(Terminal, OutputEndsItsLinesWithCrLf) {
    EXPECT_EQ(Terminal::cooked("a\nb\n"), "a\r\nb\r\n");
}

}  // namespace
}  // namespace rig::sim
