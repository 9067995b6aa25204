// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/generate.hpp"

#include "rig/error.hpp"
#include "rig/wire/test_signals.hpp"

#include <gtest/gtest.h>

namespace rig::wire {
namespace {

using namespace testing;

TEST(WaveformWriter, PutsEachEdgeWhereItsBitBegins) {
    WaveformWriter writer(transmitter("8N1", 1000));
    writer.idle(picoseconds{500});
    EXPECT_EQ(writer.send(0x55), wire_time{picoseconds{500}});
    EXPECT_EQ(writer.now(), wire_time{picoseconds{10'500}});
    ASSERT_EQ(writer.waveform().transitions.size(), 10U);
    for (int bit = 0; bit < 10; ++bit)
        EXPECT_EQ(writer.waveform().transitions[static_cast<std::size_t>(bit)].at,
                  wire_time{picoseconds{500 + 1000 * bit}});
}

TEST(WaveformWriter, AddsNoRoundingUpOverManyFrames) {
    WaveformWriter writer(transmitter());
    for (int i = 0; i < 100'000; ++i) writer.send(0xff);
    EXPECT_NEAR(static_cast<double>(writer.now().time_since_epoch().count()), 1e6 * bit_115200_ps, 1);
}

TEST(WaveformWriter, SendsAtAStatedTimeOrWhenTheLineIsFree) {
    WaveformWriter writer(transmitter("8N1", 1000));
    EXPECT_EQ(writer.send_at(wire_time{picoseconds{700}}, 1), wire_time{picoseconds{700}});
    EXPECT_EQ(writer.send_at(wire_time{picoseconds{5000}}, 2), wire_time{picoseconds{10'700}});
}

TEST(WaveformWriter, GivesTheSameJitterForTheSameSeed) {
    const auto jittered = [](std::uint64_t seed) {
        Transmitter t = transmitter();
        t.jitter_ps = 50'000;
        t.seed = seed;
        WaveformWriter writer(t);
        writer.idle(bits(5));
        writer.send_text("jitter");
        return sampled(writer, SampleRate{100'000'000});
    };
    EXPECT_EQ(jittered(3), jittered(3));
    EXPECT_NE(jittered(3), jittered(4));
}

TEST(WaveformWriter, RefusesWrongParityWhereThereIsNone) {
    WaveformWriter writer(transmitter());
    EXPECT_THROW(writer.send_with_wrong_parity(1), RigError);
}

TEST(Sample, ShowsAnEdgeAtTheFirstSampleNotBeforeIt) {
    Waveform waveform{
        Level::high,
        {{wire_time{picoseconds{2'000'000}}, Level::low}, {wire_time{picoseconds{3'000'001}}, Level::high}}};
    const Trace trace = sample(waveform, SampleRate{1'000'000}, 10);
    ASSERT_EQ(trace.edges.size(), 2U);
    EXPECT_EQ(trace.edges[0].at, SampleIndex{2});
    EXPECT_EQ(trace.edges[1].at, SampleIndex{4});
}

TEST(Sample, MissesAPulseBetweenTwoSamples) {
    Waveform waveform{
        Level::high,
        {{wire_time{picoseconds{2'100'000}}, Level::low}, {wire_time{picoseconds{2'900'000}}, Level::high}}};
    EXPECT_TRUE(sample(waveform, SampleRate{1'000'000}, 10).edges.empty());
}

TEST(WithSpike, FlipsTheSamplesItNames) {
    const Trace idle{SampleRate{1}, 10, Level::high, {}};
    const Trace spiked = with_spike(idle, SampleIndex{4}, 2);
    EXPECT_EQ(spiked.edges, (std::vector<Edge>{{SampleIndex{4}, Level::low}, {SampleIndex{6}, Level::high}}));
    EXPECT_EQ(with_spike(spiked, SampleIndex{4}, 2), idle);
}

TEST(WithLostSamples, MovesWhatFollowsForward) {
    const Trace trace{SampleRate{1}, 20, Level::high, {{SampleIndex{4}, Level::low}, {SampleIndex{12}, Level::high}}};
    const Trace lossy = with_lost_samples(trace, SampleIndex{6}, 3);
    EXPECT_EQ(lossy.samples, 17U);
    EXPECT_EQ(lossy.edges, (std::vector<Edge>{{SampleIndex{4}, Level::low}, {SampleIndex{9}, Level::high}}));
    const Trace without_pulse = with_lost_samples(trace, SampleIndex{3}, 10);
    EXPECT_TRUE(without_pulse.edges.empty());
}

TEST(Cut, ShowsWhatACaptureOfThatPartWould) {
    const Trace trace{SampleRate{1}, 20, Level::high, {{SampleIndex{4}, Level::low}, {SampleIndex{12}, Level::high}}};
    const Trace part = cut(trace, SampleIndex{4}, 10);
    EXPECT_EQ(part, (Trace{SampleRate{1}, 10, Level::low, {{SampleIndex{8}, Level::high}}}));
}

TEST(ToSamples, PutsEachLaneOnItsBit) {
    const Trace one{SampleRate{1}, 4, Level::low, {{SampleIndex{2}, Level::high}}};
    const Trace other{SampleRate{1}, 2, Level::high, {}};
    const Lane lanes[] = {{&one, 0}, {&other, 9}};
    const auto samples = to_samples(lanes, 2, SampleIndex{1}, 3);
    const std::vector<std::byte> expected{std::byte{0}, std::byte{2}, std::byte{1},
                                          std::byte{2}, std::byte{1}, std::byte{2}};
    EXPECT_EQ(samples, expected);
}

}  // namespace
}  // namespace rig::wire
