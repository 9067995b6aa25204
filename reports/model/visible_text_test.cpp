// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/visible_text.hpp"

#include <gtest/gtest.h>

namespace rig::reports {
namespace {

using namespace std::string_literals;

TEST(VisibleText, LeavesOrdinaryTextAsItIs) {
    EXPECT_EQ(visible_text("printk: µs ± 3 % ✓ 漢"), "printk: µs ± 3 % ✓ 漢");
}

TEST(VisibleText, ShowsControlsAsEscapes) {
    EXPECT_EQ(visible_text("a\0b\x1b[31m\x7f\t\r\n"s), "a\\x00b\\x1B[31m\\x7F\\t\\r\\n");
}

TEST(VisibleText, ShowsBytesThatAreNoUtf8) {
    // A lone continuation, an overlong slash, a surrogate, a sequence cut short, a code beyond Unicode.
    EXPECT_EQ(visible_text("\x80|\xc0\xaf|\xed\xa0\x80|\xe2\x82|\xf4\x90\x80\x80"),
              "\\x80|\\xC0\\xAF|\\xED\\xA0\\x80|\\xE2\\x82|\\xF4\\x90\\x80\\x80");
}

TEST(VisibleText, ShowsWhatTurnsOrHidesText) {
    EXPECT_EQ(visible_text("\u202Egpj.exe"), "\\u{202E}gpj.exe");
    EXPECT_EQ(visible_text("a\u200Bb\u2066c\uFEFFd\u2028e\u0085f"),
              "a\\u{200B}b\\u{2066}c\\u{FEFF}d\\u{2028}e\\u{0085}f");
    EXPECT_EQ(visible_text("\xef\xbf\xbe|\xf0\x9f\xbf\xbf|\xf3\xa0\x81\x81"), "\\u{FFFE}|\\u{1FFFF}|\\u{E0041}");
}

TEST(VisibleText, SaysHowMuchOfALineIsLeftOut) {
    EXPECT_EQ(visible_text("abcdef", {1, 4}), "abcd… [2 bytes more]");
    EXPECT_EQ(visible_text(std::string(1U << 20U, '<'), {1, 3}), "<<<… [1048573 bytes more]");
}

TEST(VisibleText, KeepsLineEndsWhereLinesAreAllowed) {
    EXPECT_EQ(visible_text("one\r\ntwo\nthree", {9, 9}), "one\ntwo\nthree");
    EXPECT_EQ(visible_text("a lone \r stays visible\n", {9, 99}), "a lone \\r stays visible\n");
    EXPECT_EQ(visible_text("abcdef\r\ngh", {9, 2}), "ab… [4 bytes more]\ngh");
}

TEST(VisibleText, SaysHowManyBytesOfFurtherLinesAreLeftOut) {
    EXPECT_EQ(visible_text("1\n2\n3\n4", {2, 9}), "1\n2\n… [3 bytes more]");
    EXPECT_EQ(visible_text("1\n2\n", {2, 9}), "1\n2");
}

TEST(DisplayWidth, CountsColumns) {
    EXPECT_EQ(display_width("± 3 µs"), 6U);
    EXPECT_EQ(display_width("漢字"), 4U);
    EXPECT_EQ(display_width("e\u0301"), 1U);
}

TEST(Elide, NeverExceedsItsColumns) {
    EXPECT_EQ(elide("console", 7), "console");
    EXPECT_EQ(elide("console_emit", 8), "console…");
    EXPECT_EQ(elide("漢字漢字", 4), "漢…");
}

}  // namespace
}  // namespace rig::reports
