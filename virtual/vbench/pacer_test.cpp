// SPDX-License-Identifier: GPL-3.0-or-later
#include "pacer.hpp"

#include "uart_fifo.hpp"

#include <array>
#include <poll.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

/// Waits, bounded, for `count` events.
std::vector<PacerEvent> events(Pacer& pacer, std::size_t count) {
    std::vector<PacerEvent> seen;
    const Instant deadline = now() + 10s;
    while (seen.size() < count && now() < deadline) {
        pollfd ready{.fd = pacer.event_fd(), .events = POLLIN, .revents = 0};
        ::poll(&ready, 1, 100);
        pacer.drain([&seen](const PacerEvent& event) { seen.push_back(event); });
    }
    return seen;
}

void write_all(const UniqueFd& fd, std::string_view text) {
    ASSERT_EQ(::write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(UartFifo, HoldsAsManyBytesAsItIsDeep) {
    for (const int depth : {1, 2, 4, 8, 16}) EXPECT_EQ(UartFifo::open(depth).depth, depth);
}

TEST(UartFifo, IsAsDeepAsTheRateNeeds) {
    EXPECT_EQ(fifo_depth_for(UartTiming(9600)), 1);
    EXPECT_EQ(fifo_depth_for(UartTiming(57600)), 2);
    EXPECT_EQ(fifo_depth_for(UartTiming(115200)), 4);
    EXPECT_EQ(fifo_depth_for(UartTiming(921600)), 16);
}

TEST(Pacer, BytesWrittenTogetherFollowBackToBack) {
    const UartTiming timing(115200);
    Pacer pacer(timing, 1s, RealtimeWish::automatic);
    UartFifo uart = UartFifo::open(4);
    pacer.attach(std::move(uart.wire));
    write_all(uart.guest.tx, "printk");
    const auto seen = events(pacer, 6);
    ASSERT_EQ(seen.size(), 6U);
    for (std::size_t n = 0; n < seen.size(); ++n) {
        EXPECT_EQ(seen[n].byte, static_cast<std::uint8_t>("printk"[n]));
        EXPECT_EQ(seen[n].start, seen[0].start + timing.frames(static_cast<std::int64_t>(n)));
        EXPECT_EQ(seen[n].end, seen[0].start + timing.frames(static_cast<std::int64_t>(n) + 1));
    }
}

TEST(Pacer, AByteOnTheRxWireReachesTheGuestAfterItsStopBit) {
    Pacer pacer(UartTiming(115200), 1s, RealtimeWish::automatic);
    UartFifo uart = UartFifo::open(4);
    pacer.attach(std::move(uart.wire));
    const Instant before = now();
    const std::array<std::uint8_t, 2> keys{'l', 's'};
    EXPECT_EQ(pacer.send(keys), 2U);
    std::array<char, 2> got{};
    for (char& key : got) ASSERT_EQ(::read(uart.guest.rx.get(), &key, 1), 1);
    EXPECT_GE(now() - before, UartTiming(115200).frames(2));
    EXPECT_EQ(got[0], 'l');
    EXPECT_EQ(got[1], 's');
    EXPECT_EQ(events(pacer, 2).size(), 2U);
}

TEST(Pacer, AStallIsReportedAsTheSlipItIs) {
    Pacer pacer(UartTiming(115200), 400us, RealtimeWish::automatic);
    UartFifo uart = UartFifo::open(4);
    pacer.attach(std::move(uart.wire));
    pacer.stall(3, 5ms);
    write_all(uart.guest.tx, "abcd");
    const auto seen = events(pacer, 4);
    ASSERT_EQ(seen.size(), 4U);
    EXPECT_GE(seen[2].lateness, 4ms);
    EXPECT_GE(seen[2].start - seen[1].start, 5ms);
    EXPECT_LT(seen[1].start - seen[0].start, 5ms);
}

TEST(Pacer, AGuestThatClosesItsUartIsReportedAfterItsLastByte) {
    Pacer pacer(UartTiming(115200), 1s, RealtimeWish::automatic);
    UartFifo uart = UartFifo::open(4);
    const auto attachment = pacer.attach(std::move(uart.wire));
    write_all(uart.guest.tx, "x");
    uart.guest.reset();
    uart.guest_tx_again.reset();
    const auto seen = events(pacer, 2);
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].byte, 'x');
    EXPECT_EQ(seen[1].kind, PacerEvent::Kind::guest_gone);
    EXPECT_EQ(seen[1].attachment, attachment);
}

TEST(Pacer, WithThePowerOffKeysStillPassOverTheWire) {
    Pacer pacer(UartTiming(115200), 1s, RealtimeWish::automatic);
    const std::array<std::uint8_t, 1> key{'x'};
    pacer.send(key);
    const auto seen = events(pacer, 1);
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].wire, Wire::rx);
}

}  // namespace
}  // namespace vbench
