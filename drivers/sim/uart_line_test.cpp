// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/uart_line.hpp"

#include <string>

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

/// A line of 100 kBd whose receiver notes what comes when.
struct Line {
    boost::asio::io_context io;
    SimClock clock;
    std::string received;
    host_time last{};
    UartLine line{clock, picoseconds{10us}, 0ns, [this](const SimFrame& frame) {
                      received += static_cast<char>(frame.value);
                      last = clock.now();
                  }};

    void pass(std::chrono::nanoseconds span) { clock.run_until_done(io, device::pause(clock, span)); }
};

TEST(UartLine, ItsBitTimeIsTheBaudsAndItsError) {
    EXPECT_EQ(bit_time(Baud{115200}, {}), picoseconds{8'680'556});
    EXPECT_EQ(bit_time(Baud{1'000'000}, RateError::of_ppm(-10000)), picoseconds{1'010'101});
}

TEST(UartLine, BytesAreSentBackToBackAndArriveWithTheirStopBit) {
    Line bench;
    bench.line.send('a', true_time{5us});
    const auto second = bench.line.send('b', true_time{5us});
    EXPECT_EQ(second.start, true_time{105us});
    bench.pass(104us);
    EXPECT_EQ(bench.received, "");
    bench.pass(1us);
    EXPECT_EQ(bench.received, "a");
    bench.pass(1ms);
    EXPECT_EQ(bench.received, "ab");
    EXPECT_EQ(bench.last, host_time{205us});
}

TEST(UartLine, TheWireShowsStartBitDataLeastSignificantFirstAndStopBit) {
    Line bench;
    bench.line.send(0x0d, true_time{});  // 1011 0000 on the wire
    const auto& trace = bench.line.trace();
    std::vector<std::int64_t> edges_us;
    for (auto i = trace.first_at(true_time{}); i < trace.end(); ++i)
        edges_us.push_back(trace.change(i).at.time_since_epoch() / picoseconds{1us});
    EXPECT_EQ(edges_us, (std::vector<std::int64_t>{0, 10, 20, 30, 50, 90}));
}

TEST(UartLine, AnIdleLineStartsAFrameWhenItIsAskedTo) {
    Line bench;
    bench.line.send('a', true_time{});
    bench.pass(1ms);
    EXPECT_EQ(bench.line.send('b', true_time{1ms}).start, true_time{1ms});
    EXPECT_EQ(bench.line.send('c', true_time{1ms}, 3us).start, true_time{1103us});
}

TEST(UartLine, WhatIsNotInTheFifoYetCanBeTakenBack) {
    Line bench;
    for (const char c : std::string_view("abcdef")) bench.line.send(static_cast<std::uint8_t>(c), true_time{});
    bench.pass(150us);  // b is being sent
    EXPECT_EQ(bench.line.take_back(true_time{150us}, 2), "def");
    bench.line.send('X', true_time{150us});
    bench.pass(1ms);
    EXPECT_EQ(bench.received, "abcX");
    EXPECT_EQ(bench.line.sent(), 4U);
}

TEST(UartLine, WithoutPowerTheRestIsNeverSent) {
    Line bench;
    for (const char c : std::string_view("abc")) bench.line.send(static_cast<std::uint8_t>(c), true_time{});
    bench.pass(150us);
    bench.line.cut(true_time{150us});
    bench.pass(1ms);
    EXPECT_EQ(bench.received, "a");
    EXPECT_EQ(bench.line.trace().level_before(bench.line.trace().end()), wire::Level::high);
}

TEST(UartLine, GarbageHasNoStopBitAndTheNextFrameStaysApart) {
    Line bench;
    bench.line.send(0x00, true_time{}, picoseconds{0}, Fate::garbage);
    const auto& trace = bench.line.trace();
    EXPECT_EQ(trace.end(), 2U);
    EXPECT_EQ(trace.change(1).at, true_time{100us});
    EXPECT_EQ(bench.line.send('a', true_time{}).start, true_time{110us});
}

}  // namespace
}  // namespace rig::sim
