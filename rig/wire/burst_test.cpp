// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/burst.hpp"

#include "rig/error.hpp"
#include "rig/wire/test_signals.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

TEST(Bursts, EndWhereTheLineIdlesLonger) {
    auto writer = idle_writer();
    writer.send_text("abc");
    writer.idle(bits(4));
    writer.send_text("de");
    writer.idle(bits(6));
    writer.send_text("f");
    const Decoded decoded = decode(sampled(writer), baud_115200, UartFormat{});
    const auto bursts = find_bursts(decoded.frames, decoded.bit_time * default_burst_gap_bits);
    ASSERT_EQ(bursts.size(), 2U);
    EXPECT_EQ(bursts[0], (FrameRange{0, 5}));
    EXPECT_EQ(bursts[1], (FrameRange{5, 1}));
    EXPECT_EQ(bytes_of(bursts[0].of(decoded.frames)), "abcde");
    EXPECT_TRUE(find_bursts({}, bits(5)).empty());
}

TEST(FindBytes, FindsANonceAcrossAGapAndNeverABreak) {
    auto writer = idle_writer();
    writer.send_text("x nonce=7");
    writer.idle(bits(40));
    writer.send_text("f3a ");
    writer.send_break(bits(20));
    writer.send_text("nonce=7f3a");
    const Decoded decoded = decode(sampled(writer), baud_115200, UartFormat{});
    EXPECT_EQ(find_bytes(decoded.frames, "nonce=7f3a"), (FrameRange{2, 10}));
    EXPECT_EQ(find_bytes(decoded.frames, "nonce=7f3a", 3), (FrameRange{14, 10}));
    EXPECT_FALSE(find_bytes(decoded.frames, "nonce=8"));
    EXPECT_FALSE(find_bytes(decoded.frames, std::string_view("\0", 1)));
    EXPECT_FALSE(find_bytes(decoded.frames, ""));
    EXPECT_FALSE(find_bytes(decoded.frames, "n", 1000));
}

TEST(WireDuration, OfTwoHundredSeventyFourFramesIsWithinItsUncertainty) {
    const double true_bit = bit_115200_ps * 1.0007;
    auto writer = idle_writer("8N1", true_bit);
    for (int i = 0; i < 274; ++i) writer.send(static_cast<std::uint16_t>(32 + i * 7 % 95));
    const Trace trace = sampled(writer);
    const FittedDecode result = decode_fitted(trace, bit_time_of(baud_115200), UartFormat{});
    ASSERT_TRUE(result.fit);
    const WireDuration duration = wire_duration(result.decoded.frames, UartFormat{}, *result.fit);
    EXPECT_LT(duration.u_ps, 150e3);
    EXPECT_LE(std::abs(static_cast<double>(duration.value.count()) - 2740 * true_bit), 2.5 * duration.u_ps);
}

TEST(WireDuration, OfNoFramesIsOurMistake) {
    EXPECT_THROW((void)wire_duration({}, UartFormat{}, BitTimeFit{}), RigError);
}

}  // namespace
}  // namespace rig::wire
