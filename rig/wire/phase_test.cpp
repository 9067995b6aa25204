// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/phase.hpp"

#include "rig/wire/test_signals.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

/// A record and where its frames begin.
struct Record {
    WaveformWriter writer = idle_writer();
    std::vector<wire_time> starts;

    explicit Record(std::string_view text) {
        for (const char c : text) starts.push_back(writer.send(static_cast<unsigned char>(c)));
    }
};

PhaseReport check(const Trace& trace) {
    const FittedDecode result = decode_fitted(trace, bit_time_of(baud_115200), UartFormat{});
    if (!result.fit) {
        ADD_FAILURE() << "nothing was fitted";
        return {};
    }
    return check_phase(trace, result.decoded.frames, UartFormat{}, *result.fit);
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 274; ++i) text += static_cast<char>(32 + i * 7 % 95);
    return text;
}

TEST(Phase, AWholeRecordHasNoJumpAndNoGap) {
    const Record record(long_text());
    const PhaseReport report = check(sampled(record.writer));
    EXPECT_TRUE(report.whole());
    EXPECT_TRUE(report.gaps.empty());
    EXPECT_LE(report.worst_edge_ps, 250'000 * 1.01);
    EXPECT_LE(report.worst_start_ps, 250'000 * 1.01);
    EXPECT_GT(report.threshold, picoseconds{250'000});
    EXPECT_LT(report.threshold, picoseconds{600'000});
}

TEST(Phase, ABlockLostInsideAFrameIsAJump) {
    const Record record(long_text());
    const Trace whole = sampled(record.writer);
    for (int frame = 20; frame < 250; frame += 23) {
        const auto at = sample_at(record.starts[static_cast<std::size_t>(frame)] + bits(3.4));
        const PhaseReport report = check(with_lost_samples(whole, at, 512));
        ASSERT_FALSE(report.whole()) << frame;
        EXPECT_NEAR(static_cast<double>(report.jumps.front().frame), frame, 2);
    }
}

TEST(Phase, AFrameThatBeginsTooEarlyIsAJumpOfThatMuch) {
    const Record record("UUUUUUUUUU");
    // Three samples out of the stop bit of frame 4: frame 5 begins 0.75 us early, all bytes stay right.
    const Trace trace = with_lost_samples(sampled(record.writer), sample_at(record.starts[4] + bits(9.5)), 3);
    const PhaseReport report = check(trace);
    ASSERT_EQ(report.jumps.size(), 1U);
    EXPECT_EQ(report.jumps[0].frame, 5U);
    EXPECT_EQ(report.jumps[0].where, PhaseJump::Where::before_frame);
    EXPECT_NEAR(static_cast<double>(report.jumps[0].jump.count()), -750e3, 260e3);
}

TEST(Phase, AnIdleGapOfAnyLengthIsAGapAndNoJump) {
    auto writer = idle_writer();
    writer.send_text("before");
    writer.idle(bits(2.37));
    writer.send_text("after");
    const PhaseReport report = check(sampled(writer));
    EXPECT_TRUE(report.whole());
    ASSERT_EQ(report.gaps.size(), 1U);
    EXPECT_EQ(report.gaps[0].after_frame, 5U);
    EXPECT_NEAR(static_cast<double>(report.gaps[0].length.count()), 2.37 * bit_115200_ps, 260e3);
}

TEST(Phase, ALineThatSlowsDownLeavesTheGridOfItsRecord) {
    auto writer = idle_writer();
    for (int i = 0; i < 100; ++i) {
        writer.send('U');
        if (i > 50) writer.idle(picoseconds{60'000});  // a quarter of a sample a frame: unseen one by one
    }
    const Trace trace = sampled(writer);
    const Decoded decoded = decode(trace, baud_115200, UartFormat{});
    const auto fit = fit_bit_time(trace, std::span(decoded.frames).first(50), UartFormat{});
    ASSERT_TRUE(fit);
    const PhaseReport report = check_phase(trace, decoded.frames, UartFormat{}, *fit);
    ASSERT_FALSE(report.whole());
    EXPECT_EQ(report.jumps.front().where, PhaseJump::Where::in_record);
    EXPECT_GT(report.jumps.front().frame, 50U);
}

TEST(Phase, ASpikeIsNoJump) {
    const Record record("spikes are not losses");
    const Trace trace = with_spike(sampled(record.writer), sample_at(record.starts[5] + bits(4.5)), 2);
    EXPECT_TRUE(check(trace).whole());
}

TEST(Phase, AMissingStopBitAloneIsNoJump) {
    auto writer = idle_writer();
    writer.send_text("one");
    writer.send_without_stop('x');
    writer.send_text("two");
    EXPECT_TRUE(check(sampled(writer)).whole());
}

TEST(Phase, BreaksAreCountedAsUnchecked) {
    auto writer = idle_writer();
    writer.send_text("one");
    writer.send_break(bits(30));
    writer.send_text("two");
    const PhaseReport report = check(sampled(writer));
    EXPECT_TRUE(report.whole());
    EXPECT_EQ(report.frames_unchecked, 1U);
}

}  // namespace
}  // namespace rig::wire
