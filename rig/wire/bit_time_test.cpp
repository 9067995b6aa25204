// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/bit_time.hpp"

#include "rig/wire/burst.hpp"
#include "rig/wire/test_signals.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

FittedDecode fitted(const WaveformWriter& writer, SampleRate rate = four_mhz, std::string_view format = "8N1") {
    return decode_fitted(sampled(writer, rate), bit_time_of(baud_115200), parse_uart_format(format));
}

void expect_truth_inside(const BitTimeFit& fit, double true_bit_ps) {
    EXPECT_LE(std::abs(fit.bit_ps - true_bit_ps), 2.5 * fit.u_ps);
}

TEST(BitTime, IsKnownToAFewPartsPerMillionFromOneLongRecord) {
    const double true_bit = bit_115200_ps * 1.0123;
    auto writer = idle_writer("8N1", true_bit);
    for (int i = 0; i < 274; ++i) writer.send(static_cast<std::uint16_t>(32 + i * 7 % 95));
    const FittedDecode result = fitted(writer);
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, true_bit);
    EXPECT_LT(result.fit->u_ps / true_bit, 20e-6);
    EXPECT_EQ(result.fit->chains, 1U);
    EXPECT_EQ(result.fit->frames, 274U);
    EXPECT_NEAR(result.fit->ppm_from(baud_115200), (1 / 1.0123 - 1) * 1e6, 50);
    EXPECT_NEAR(result.fit->u_baud / result.fit->baud, result.fit->u_ps / result.fit->bit_ps, 1e-12);
}

TEST(BitTime, ComesFromOneSingleFrameToo) {
    auto writer = idle_writer();
    writer.send('U');
    const FittedDecode result = fitted(writer);
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, bit_115200_ps);
    EXPECT_LT(result.fit->u_ps / bit_115200_ps, 0.005);
}

TEST(BitTime, GapsBetweenFramesDoNotBendIt) {
    const double true_bit = bit_115200_ps * 0.98;
    auto writer = idle_writer("8N1", true_bit);
    for (int i = 0; i < 100; ++i) {
        writer.send(static_cast<std::uint16_t>(i * 31 % 256));
        if (i % 7 == 0) writer.idle(bits(0.3 + i * 0.37));
    }
    const FittedDecode result = fitted(writer);
    ASSERT_TRUE(result.fit);
    EXPECT_EQ(result.decoded.frames.size(), 100U);
    expect_truth_inside(*result.fit, true_bit);
}

TEST(BitTime, PausesShorterThanASampleDoNotBendIt) {
    auto writer = idle_writer();
    for (int i = 0; i < 200; ++i) {
        writer.send(static_cast<std::uint16_t>(i * 31 % 256));
        writer.idle(picoseconds{100'000});  // 0.4 samples after every frame
    }
    const FittedDecode result = fitted(writer);
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, bit_115200_ps);
}

TEST(BitTime, CoversEveryBitTimeThatTheSameSamplesWouldShow) {
    // 8 samples a bit to within 1e-5: all edges fall on samples alike and leave no residual.
    const double true_bit = 8e6 * 1.00001;
    auto writer = idle_writer("8N1", true_bit);
    writer.send_text("in step");
    const Trace trace = sampled(writer, SampleRate{1'000'000});
    const FittedDecode result = decode_fitted(trace, picoseconds{8'000'000}, UartFormat{});
    ASSERT_TRUE(result.fit);
    EXPECT_EQ(result.fit->residual_rms_ps, 0);
    expect_truth_inside(*result.fit, true_bit);
    EXPECT_GT(result.fit->u_ps, 1e6 / 70 / 4);  // one sample over the record's 70 bits, two-sided, at 1.96 u
}

TEST(BitTime, FindsTheDelayOfSlowEdgesToMark) {
    Transmitter slow = transmitter();
    slow.mark_delay = picoseconds{1'500'000};
    WaveformWriter writer(slow);
    writer.idle(bits(15));
    writer.send_text("a driver that pulls down quickly and lets go slowly");
    const FittedDecode result = fitted(writer);
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, bit_115200_ps);
    EXPECT_NEAR(result.fit->mark_delay_ps, 1.5e6, 0.1e6);
}

TEST(BitTime, ACoarseTransmitterIsNotKnownBetterForRepeatingItself) {
    // Every edge on a whole microsecond, as software UARTs and slow clocks make them.
    constexpr std::int64_t microsecond = 1'000'000;
    auto writer = idle_writer();
    for (int i = 0; i < 256; ++i) {
        writer.send(static_cast<std::uint16_t>(i));
        writer.idle(picoseconds{microsecond} - writer.now().time_since_epoch() % picoseconds{microsecond});
    }
    Waveform coarse = writer.waveform();
    for (Transition& transition : coarse.transitions) {
        const auto us = (transition.at.time_since_epoch().count() + microsecond - 1) / microsecond;
        transition.at = wire_time{picoseconds{us * microsecond}};
    }
    const Trace trace = sample(coarse, SampleRate{24'000'000}, 600'000);
    const FittedDecode result = decode_fitted(trace, bit_time_of(baud_115200), UartFormat{});
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, bit_115200_ps);
}

TEST(BitTime, LeavesFramesWithLostSamplesOut) {
    auto writer = idle_writer();
    wire_time hit;
    for (int i = 0; i < 60; ++i) {
        const wire_time start = writer.send(static_cast<std::uint16_t>(i * 31 % 256));
        if (i == 30) hit = start;
    }
    const Trace trace = with_lost_samples(sampled(writer), sample_at(hit + bits(4.2)), 12);
    const FittedDecode result = decode_fitted(trace, bit_time_of(baud_115200), UartFormat{});
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, bit_115200_ps);
}

TEST(BitTime, OfNoFramesIsNothing) {
    const Trace idle{four_mhz, 1000, Level::high, {}};
    EXPECT_FALSE(fit_bit_time(idle, {}, UartFormat{}));
}

TEST(DecodeFitted, ReadsALineThreePercentOffAtFourSamplesPerBit) {
    const double true_bit = bit_115200_ps * 1.03;
    auto writer = idle_writer("9N1", true_bit);
    for (unsigned i = 0; i < 512; ++i) writer.send(static_cast<std::uint16_t>(i));
    const FittedDecode result = fitted(writer, SampleRate{460'800}, "9N1");
    ASSERT_EQ(result.decoded.frames.size(), 512U);
    for (unsigned i = 0; i < 512; ++i) EXPECT_EQ(result.decoded.frames[i].value, i);
    ASSERT_TRUE(result.fit);
    expect_truth_inside(*result.fit, true_bit);
}

TEST(DecodeFitted, DoesNotFollowALineToAnotherRate) {
    auto writer = idle_writer("8N1", bit_115200_ps * 1.2);
    writer.send_text("twenty percent is no inaccuracy");
    EXPECT_EQ(fitted(writer).decoded.bit_time, bit_time_of(baud_115200));
}

}  // namespace
}  // namespace rig::wire
