// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/detect.hpp"

#include "rig/wire/burst.hpp"
#include "rig/wire/standard_rates.hpp"
#include "rig/wire/test_signals.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

constexpr std::string_view text = "printk: console [ttyAMA0] enabled, 24573237 ns\r\n";

double baud_of(const Detection& detection) {
    return 1e12 / static_cast<double>(detection.bit_time.count());
}

class FormatsFound : public ::testing::TestWithParam<std::tuple<const char*, double, double>> {};

TEST_P(FormatsFound, WithTheRateAndTheText) {
    const auto& [format, baud, samples_per_bit] = GetParam();
    WaveformWriter writer = idle_writer(format, 1e12 / baud);
    writer.send_text(text);
    writer.idle(bits(30, 1e12 / baud));
    writer.send_text(text);
    const SampleRate rate{static_cast<std::uint64_t>(baud * samples_per_bit)};
    const Trace trace = sampled(writer, rate);
    const Detection found = detect(trace);
    ASSERT_TRUE(found.found()) << found.refusal;
    EXPECT_NEAR(baud_of(found), baud, 0.005 * baud);
    EXPECT_EQ(to_string(found.format), format);
    const std::string bytes = bytes_of(decode(trace, found.bit_time, found.format).frames);
    EXPECT_EQ(bytes, std::string(text) + std::string(text));
}

INSTANTIATE_TEST_SUITE_P(
    All, FormatsFound,
    ::testing::Combine(::testing::Values("7N1", "8N1", "7O1", "7E1", "8E1", "8O1", "8O2", "8N2", "8N1/inverted"),
                       ::testing::Values(1220.8, 9600, 103000, 118656), ::testing::Values(4.34, 8.68, 250.0)));

TEST(Detect, ASingleCharacterOfAStandardRate) {
    WaveformWriter writer = idle_writer();
    writer.send('U');
    const Detection found = detect(sampled(writer));
    ASSERT_TRUE(found.found()) << found.refusal;
    EXPECT_NEAR(baud_of(found), 115200, 1200);
    EXPECT_EQ(to_string(found.format), "8N1");
}

TEST(Detect, AGlitchIsNoBit) {
    WaveformWriter writer = idle_writer();
    writer.send_text("glitch");
    const Trace trace = with_spike(sampled(writer), SampleIndex{700}, 1);
    const Detection found = detect(trace);
    ASSERT_TRUE(found.found()) << found.refusal;
    EXPECT_NEAR(baud_of(found), 115200, 1200);
    EXPECT_EQ(decode(trace, found.bit_time, found.format).glitches.size(), 1U);
}

TEST(Detect, AKnownFormatIsKept) {
    WaveformWriter writer = idle_writer("8E1");
    writer.send_text(text);
    const Detection found = detect(sampled(writer), parse_uart_format("8N1"));
    ASSERT_TRUE(found.found()) << found.refusal;
    EXPECT_EQ(to_string(found.format), "8N1");
    EXPECT_NEAR(baud_of(found), 115200, 1200);
}

TEST(Detect, ACounterIsNoNoise) {
    WaveformWriter writer = idle_writer();
    for (std::uint16_t value = 0; value < 256; ++value) writer.send(value);
    const Detection found = detect(sampled(writer, SampleRate{24'000'000}));
    ASSERT_TRUE(found.found()) << found.refusal;
    EXPECT_NEAR(baud_of(found), 115200, 1200);
    EXPECT_EQ(to_string(found.format), "8N1");
}

TEST(Detect, MuchPlainTextHasNoSpaceParity) {
    WaveformWriter writer = idle_writer();
    for (int line = 0; line < 40; ++line) writer.send_text(text);
    EXPECT_EQ(to_string(detect(sampled(writer)).format), "8N1");
}

TEST(Detect, EveryCharacterThatHoldsAGlitch) {
    for (std::uint16_t value = 1; value < 255; ++value) {
        WaveformWriter writer = idle_writer();
        const wire_time start = writer.send(value);
        const SampleRate rate{2'000'000};
        const Trace trace = with_spike(sampled(writer, rate), SampleIndex{sample_at(start, rate).value + 78}, 1);
        const Detection found = detect(trace);
        ASSERT_TRUE(found.found()) << value << found.refusal;
        EXPECT_EQ(sureness(found), "a guess") << value;
    }
}

TEST(Detect, AFrameOffItsPhaseDoesNotMakeTheFormat) {
    WaveformWriter writer = idle_writer("8N2");
    writer.send_text("AMPEL 64");
    const Trace trace = with_lost_samples(sampled(writer, SampleRate{48'000'000}), SampleIndex{8'000}, 130);
    EXPECT_EQ(detect(trace).format.data_bits, 8U);
}

TEST(Detect, LongPulsesOfADriversEnableAreNeverCertain) {
    WaveformWriter writer = idle_writer();
    for (const int length : {310, 97, 181, 265, 97, 441, 181, 310, 97, 523}) {
        writer.send_break(bits(length));
        writer.idle(bits(1.37 * length));
    }
    const Detection found = detect(sampled(writer));
    EXPECT_TRUE(!found.found() || sureness(found) != "certain") << baud_of(found) << to_string(found.format);
}

TEST(Detect, OneCharacterAgainAndAgainIsAGuess) {
    WaveformWriter writer = idle_writer("8N2", 4e6);
    for (int frame = 0; frame < 500; ++frame) writer.send(0xff);
    EXPECT_EQ(sureness(detect(sampled(writer, SampleRate{3'000'000}))), "a guess");
}

TEST(Detect, ALineThatNeverMovesIsRefused) {
    const Trace trace{four_mhz, 1000, Level::high, {}};
    EXPECT_EQ(detect(trace).refusal, "the line never changes its level");
}

TEST(Detect, TwoSamplesABitAreRefused) {
    WaveformWriter writer = idle_writer();
    writer.send_text(text);
    const Detection found = detect(sampled(writer, SampleRate{250'000}));
    EXPECT_FALSE(found.found());
    EXPECT_NE(found.refusal.find("samples long"), std::string::npos) << found.refusal;
}

TEST(Detect, NoSamplingMakesItThrow) {
    WaveformWriter writer = idle_writer();
    writer.send_text(text);
    for (std::uint64_t hz = 57'600; hz < 600'000; hz += 9'973)
        EXPECT_NO_THROW((void)detect(sampled(writer, SampleRate{hz}))) << hz;
    EXPECT_NO_THROW((void)detect(sampled(writer, SampleRate{2 * 115'200})));
}

TEST(StandardRates, TheNearestIsNearestByRatio) {
    EXPECT_EQ(nearest_standard_rate(114'950), Baud{115'200});
    EXPECT_EQ(nearest_standard_rate(1'220.8), Baud{1'200});
    EXPECT_EQ(nearest_standard_rate(1), Baud{50});
    EXPECT_EQ(nearest_standard_rate(1e9), Baud{4'000'000});
    EXPECT_TRUE(std::ranges::is_sorted(standard_rates()));
}

TEST(Detect, MoreTextIsSurerThanLess) {
    WaveformWriter one = idle_writer();
    one.send('A');
    WaveformWriter many = idle_writer();
    many.send_text(text);
    EXPECT_GT(detect(sampled(many)).advantage_bits, detect(sampled(one)).advantage_bits);
    EXPECT_EQ(sureness(detect(sampled(many))), "certain");
}

}  // namespace
}  // namespace rig::wire
