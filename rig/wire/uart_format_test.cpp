// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/uart_format.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

TEST(UartFormat, ReadsAndWritesTheUsualNames) {
    for (const char* name :
         {"8N1", "7E1", "7O1", "8O2", "5N1.5", "9N1", "8M1", "8S2", "8N1/inverted", "8E1/msb", "8N1/inverted/msb"})
        EXPECT_EQ(to_string(parse_uart_format(name)), name);
}

TEST(UartFormat, TakesSmallLettersAndTheShortWord) {
    EXPECT_EQ(to_string(parse_uart_format("8n1/INV")), "8N1/inverted");
    EXPECT_EQ(short_name(parse_uart_format("7e1/inv/msb")), "7E1");
}

TEST(UartFormat, CountsTheBitsOfAFrame) {
    EXPECT_EQ(frame_bits(parse_uart_format("8N1")), 10);
    EXPECT_EQ(frame_bits(parse_uart_format("8O2")), 12);
    EXPECT_EQ(frame_bits(parse_uart_format("5N1.5")), 7.5);
    EXPECT_EQ(stop_bit_index(parse_uart_format("7E1")), 9U);
}

TEST(UartFormat, KnowsTheParityBitOfAValue) {
    EXPECT_FALSE(parity_bit_of(parse_uart_format("8E1"), 0x03));
    EXPECT_TRUE(parity_bit_of(parse_uart_format("8E1"), 0x07));
    EXPECT_TRUE(parity_bit_of(parse_uart_format("8O1"), 0x03));
    EXPECT_TRUE(parity_bit_of(parse_uart_format("8M1"), 0x00));
    EXPECT_FALSE(parity_bit_of(parse_uart_format("8S1"), 0x01));
}

TEST(UartFormat, SaysWhichPartIsWrong) {
    const auto complaint = [](const char* text) {
        try {
            (void)parse_uart_format(text);
        } catch (const PlanError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(complaint("4N1"), "'4N1' is no UART format: data bits must be 5 to 9, not '4'");
    EXPECT_EQ(complaint("8X1"), "'8X1' is no UART format: parity must be N, E, O, M or S, not 'X'");
    EXPECT_EQ(complaint("8N3"), "'8N3' is no UART format: stop bits must be 1, 1.5 or 2, not '3'");
    EXPECT_EQ(complaint("8N1/lsb"), "'8N1/lsb' is no UART format: '/lsb' is neither /inverted nor /msb");
    EXPECT_EQ(complaint(""), "'' is no UART format: it is too short");
}

}  // namespace
}  // namespace rig::wire
