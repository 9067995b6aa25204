// SPDX-License-Identifier: GPL-3.0-or-later
#include "uart_fifo.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace vbench {
namespace {

bool blocks(const UniqueFd& fd) {
    return (::fcntl(fd.get(), F_GETFL) & O_NONBLOCK) == 0;
}

TEST(UartFifo, HoldsAsManyBytesAsItSays) {
    for (const int depth : {1, 4, 16}) {
        const UartFifo uart = UartFifo::open(depth);
        EXPECT_EQ(uart.depth, depth);
        ::fcntl(uart.guest.tx.get(), F_SETFL, O_NONBLOCK | O_DIRECT);
        for (int i = 0; i < depth; ++i) ASSERT_EQ(::write(uart.guest.tx.get(), "x", 1), 1);
        EXPECT_EQ(::write(uart.guest.tx.get(), "x", 1), -1);
        EXPECT_EQ(errno, EAGAIN);
    }
}

TEST(UartFifo, GivesOneByteForEachWrite) {
    const UartFifo uart = UartFifo::open(4);
    ASSERT_EQ(::write(uart.guest.tx.get(), "a", 1), 1);
    ASSERT_EQ(::write(uart.guest.tx.get(), "b", 1), 1);
    std::array<char, 8> bytes{};
    EXPECT_EQ(::read(uart.wire.tx.get(), bytes.data(), bytes.size()), 1);
    EXPECT_EQ(bytes[0], 'a');
}

TEST(UartFifo, TheGuestWaitsAtAFullFifoOnceItIsToldTo) {
    const UartFifo uart = UartFifo::open(1);
    // As QEMU does it when it starts.
    ::fcntl(uart.guest.tx.get(), F_SETFL, ::fcntl(uart.guest.tx.get(), F_GETFL) | O_NONBLOCK);
    wait_when_full(uart.guest_tx_again);
    EXPECT_TRUE(blocks(uart.guest.tx));
    EXPECT_FALSE(blocks(uart.wire.tx));
}

TEST(UartFifo, IsNoDeeperThanTheHostsLatencyLasts) {
    EXPECT_EQ(fifo_depth_for(UartTiming(9600)), 1);
    EXPECT_EQ(fifo_depth_for(UartTiming(115200)), 4);
    EXPECT_EQ(fifo_depth_for(UartTiming(921600)), 16);
}

}  // namespace
}  // namespace vbench
