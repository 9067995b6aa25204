// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/uart.hpp"

#include "rig/error.hpp"
#include "rig/wire/burst.hpp"
#include "rig/wire/test_signals.hpp"

#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

std::string decoded_text(const Trace& trace, std::string_view format = "8N1") {
    return bytes_of(decode(trace, baud_115200, parse_uart_format(format)).frames);
}

TEST(Uart, DecodesALineOfText) {
    auto writer = idle_writer();
    const wire_time start = writer.now();
    writer.send_text("Hello, wire\r\n");
    const Decoded decoded = decode(sampled(writer), baud_115200, UartFormat{});
    EXPECT_EQ(bytes_of(decoded.frames), "Hello, wire\r\n");
    EXPECT_EQ(decoded.skipped_until, 0U);
    EXPECT_FALSE(decoded.cut_off);
    const double late = to_seconds(decoded.frames.front().start - start) * 4e6;
    EXPECT_GE(late, -1);
    EXPECT_LE(late, 1);
    EXPECT_EQ(decoded.frames.front().end - decoded.frames.front().start, 10 * bit_time_of(baud_115200));
}

TEST(Uart, KnowsEveryFormat) {
    for (const char* format : {"5N1", "6N1", "7N1", "8N1", "9N1", "7O1", "8E1", "8O2", "8M1", "8S1", "5N1.5",
                               "8N1/inverted", "8N1/msb", "7E2/inverted/msb"}) {
        const UartFormat parsed = parse_uart_format(format);
        auto writer = idle_writer(format);
        const unsigned values = 1U << parsed.data_bits;
        for (unsigned value = 0; value < values; ++value) writer.send(static_cast<std::uint16_t>(value));
        const Decoded decoded = decode(sampled(writer), baud_115200, parsed);
        ASSERT_EQ(decoded.frames.size(), values) << format;
        for (unsigned value = 0; value < values; ++value) {
            EXPECT_EQ(decoded.frames[value].value, value) << format;
            EXPECT_FALSE(decoded.frames[value].errors.any()) << format;
        }
    }
}

TEST(Uart, ReportsAOneSampleSpikeAndKeepsTheByte) {
    auto writer = idle_writer();
    const wire_time start = writer.send('E');
    const Trace clean = sampled(writer, SampleRate{1'000'000});
    for (int bit = 0; bit < 10; ++bit) {
        const SampleIndex middle = sample_at(start + bits(bit + 0.5), clean.rate);
        const Decoded decoded = decode(with_spike(clean, middle, 1), baud_115200, UartFormat{});
        ASSERT_EQ(decoded.frames.size(), 1U) << bit;
        EXPECT_EQ(decoded.frames[0].value, 'E') << bit;
        EXPECT_EQ(decoded.frames[0].glitches, 1U) << bit;
        EXPECT_FALSE(decoded.frames[0].errors.any()) << bit;
    }
}

TEST(Uart, DoesNotTakeASpikeInIdleTimeForAStartBit) {
    auto writer = idle_writer();
    writer.send('A');
    const Decoded decoded = decode(with_spike(sampled(writer), SampleIndex{100}, 2), baud_115200, UartFormat{});
    EXPECT_EQ(bytes_of(decoded.frames), "A");
    EXPECT_EQ(decoded.frames[0].glitches, 0U);
    ASSERT_EQ(decoded.glitches.size(), 1U);
    EXPECT_EQ(decoded.glitches[0], (Glitch{SampleIndex{100}, 2}));
}

TEST(Uart, PassesOverAStartBitThatDoesNotLast) {
    auto writer = idle_writer();
    writer.send('A');
    const Trace noisy = with_spike(sampled(writer), SampleIndex{60}, 15);
    EXPECT_EQ(decoded_text(noisy), "A");
}

TEST(Uart, ReportsAMissingStopBitAndGoesOn) {
    auto writer = idle_writer();
    writer.send('a');
    writer.send_without_stop('b');
    writer.send('c');
    const Decoded decoded = decode(sampled(writer), baud_115200, UartFormat{});
    ASSERT_EQ(decoded.frames.size(), 3U);
    EXPECT_EQ(decoded.frames[1].errors, (FrameErrors{true, false, false}));
    EXPECT_EQ(decoded.frames[1].value, 'b');
    EXPECT_EQ(decoded.frames[2].value, 'c');
    EXPECT_FALSE(decoded.frames[2].errors.any());
}

TEST(Uart, ReportsWrongParity) {
    auto writer = idle_writer("8E1");
    writer.send('a');
    writer.send_with_wrong_parity('b');
    const Decoded decoded = decode(sampled(writer), baud_115200, parse_uart_format("8E1"));
    ASSERT_EQ(decoded.frames.size(), 2U);
    EXPECT_FALSE(decoded.frames[0].errors.parity);
    EXPECT_EQ(decoded.frames[1].errors, (FrameErrors{false, true, false}));
    EXPECT_EQ(decoded.frames[1].value, 'b');
}

TEST(Uart, ReportsABreakWithItsLengthAndNoByte) {
    auto writer = idle_writer("8E1");
    writer.send('a');
    writer.send_break(bits(25));
    writer.send('b');
    const Decoded decoded = decode(sampled(writer), baud_115200, parse_uart_format("8E1"));
    ASSERT_EQ(decoded.frames.size(), 3U);
    const Frame& line_break = decoded.frames[1];
    EXPECT_EQ(line_break.errors, (FrameErrors{false, false, true}));
    EXPECT_NEAR(to_seconds(line_break.end - line_break.start), to_seconds(bits(25)), 0.25e-6);
    EXPECT_EQ(decoded.frames[2].value, 'b');
}

TEST(Uart, ANulIsNoBreak) {
    auto writer = idle_writer();
    writer.send(0);
    writer.send(0);
    const Decoded decoded = decode(sampled(writer), baud_115200, UartFormat{});
    ASSERT_EQ(decoded.frames.size(), 2U);
    EXPECT_FALSE(decoded.frames[0].errors.any());
}

TEST(Uart, BacksToBackFramesKeepTheirPlaceOverAThousandBytes) {
    auto writer = idle_writer();
    std::string text;
    for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 37);
    writer.send_text(text);
    EXPECT_EQ(decoded_text(sampled(writer, SampleRate{500'000})), text);
}

TEST(Uart, AnUnpoweredLineIsNoStartBit) {
    WaveformWriter writer(transmitter());
    writer.unpowered(bits(200));
    writer.idle(bits(3));
    writer.send_text("AT\r");
    EXPECT_EQ(decoded_text(sampled(writer)), "AT\r");
}

TEST(Uart, SaysWhichFrameTheEndCutsOff) {
    auto writer = idle_writer();
    writer.send('a');
    const wire_time last = writer.send('b');
    const Trace whole = sampled(writer);
    const Trace cut_short = cut(whole, SampleIndex{0}, sample_at(last + bits(6)).value);
    const Decoded decoded = decode(cut_short, baud_115200, UartFormat{});
    EXPECT_EQ(bytes_of(decoded.frames), "a");
    ASSERT_TRUE(decoded.cut_off);
    EXPECT_NEAR(static_cast<double>(decoded.cut_off->value), static_cast<double>(sample_at(last).value), 1);
}

TEST(Uart, KeepsAFrameWhoseStopBitTheEndCuts) {
    auto writer = idle_writer();
    const wire_time last = writer.send('b');
    const Trace cut_short = cut(sampled(writer), SampleIndex{0}, sample_at(last + bits(9.8)).value);
    const Decoded decoded = decode(cut_short, baud_115200, UartFormat{});
    ASSERT_EQ(decoded.frames.size(), 1U);
    EXPECT_EQ(decoded.frames[0].last.value, cut_short.samples - 1);
}

TEST(Uart, NeedsNoIdleTimeBeforeATriggeredFrame) {
    for (const double idle : {0.3, 0.7, 3.0}) {
        WaveformWriter writer(transmitter());
        writer.idle(bits(idle));
        writer.send_text("Hello");
        EXPECT_EQ(decoded_text(sampled(writer)), "Hello") << idle;
    }
}

TEST(Uart, ReadsASingleFrameThatFillsTheCapture) {
    WaveformWriter writer(transmitter());
    writer.idle(bits(0.3));
    writer.send('I');
    EXPECT_EQ(decoded_text(sampled(writer, four_mhz, -0.2)), "I");
}

TEST(Uart, FindsTheFirstWholeFrameOfACaptureThatBeginsInsideOne) {
    const std::string text = "interrupts are off while the console prints this line\r\n";
    auto writer = idle_writer();
    std::vector<wire_time> starts;
    for (const char c : text) starts.push_back(writer.send(static_cast<unsigned char>(c)));
    const Trace whole = sampled(writer);
    for (std::size_t frame = 3; frame < 30; ++frame)
        for (unsigned step = 0; step < 24; ++step) {
            const double into = 0.2 + 0.4 * step;
            const SampleIndex from = sample_at(starts[frame] + bits(into));
            EXPECT_EQ(decoded_text(cut(whole, from, whole.samples)), text.substr(frame + 1)) << frame << " " << into;
        }
}

TEST(Uart, RefusesWhatNobodyCanTell) {
    Trace trace{SampleRate{0}, 10, Level::high, {}};
    EXPECT_THROW((void)decode(trace, baud_115200, UartFormat{}), PlanError);
    trace.rate = SampleRate{200'000};
    EXPECT_THROW((void)decode(trace, baud_115200, UartFormat{}), PlanError);
    EXPECT_THROW((void)decode(trace, Baud{0}, UartFormat{}), PlanError);
    EXPECT_THROW((void)decode(trace, picoseconds{0}, UartFormat{}), PlanError);
}

TEST(Uart, FindsNothingOnAnIdleLine) {
    const Decoded decoded = decode(Trace{four_mhz, 1000, Level::high, {}}, baud_115200, UartFormat{});
    EXPECT_TRUE(decoded.frames.empty());
    EXPECT_EQ(decoded.skipped_until, 0U);
}

TEST(Uart, IsNotHeldUpByALineThatIsMuchFaster) {
    // A clock of half the sample rate on a channel that is decoded at 1200 baud.
    Trace trace{four_mhz, 0, Level::high, {}};
    Level level = Level::high;
    for (trace.samples = 1; trace.samples < 60'000; ++trace.samples) {
        level = opposite(level);
        trace.edges.push_back({SampleIndex{trace.samples}, level});
    }
    const Decoded decoded = decode(trace, Baud{1200}, UartFormat{});
    EXPECT_GT(decoded.glitches.size(), 20'000U);
}

TEST(Uart, SurvivesNoiseOfAnyKind) {
    std::mt19937_64 random(7);
    for (int run = 0; run < 300; ++run) {
        Trace trace{four_mhz, 0, random() % 2 == 0 ? Level::low : Level::high, {}};
        const std::uint64_t longest = 1 + random() % 120;
        Level level = trace.initial;
        std::uint64_t at = 1;
        for (int i = 0; i < 400; ++i) {
            level = opposite(level);
            trace.edges.push_back({SampleIndex{at}, level});
            at += 1 + random() % longest;
        }
        trace.samples = at;
        const Decoded decoded = decode(trace, baud_115200, parse_uart_format(run % 2 == 0 ? "8E2" : "5N1/inverted"));
        std::uint64_t last = 0;
        for (const Frame& frame : decoded.frames) {
            EXPECT_GE(frame.first.value, last);
            EXPECT_GE(frame.last, frame.first);
            EXPECT_LT(frame.last.value, trace.samples);
            last = frame.first.value + 1;
        }
    }
}

TEST(BitTimeOf, RoundsToThePicosecond) {
    EXPECT_EQ(bit_time_of(Baud{115200}), picoseconds{8'680'556});
    EXPECT_EQ(bit_time_of(Baud{9600}), picoseconds{104'166'667});
}

}  // namespace
}  // namespace rig::wire
