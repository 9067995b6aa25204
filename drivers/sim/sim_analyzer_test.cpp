// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_analyzer.hpp"

#include "drivers/sim/test_bench.hpp"
#include "rig/error.hpp"
#include "rig/wire/burst.hpp"
#include "rig/wire/uart.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

/// A capture of `sync` with the marker armed, and the truth of its first record.
struct Recorded {
    SampleRate rate;
    KeptSamples samples;
    device::CaptureEnd end;
    RecordTruth truth;
    picoseconds bit{0};
};

Recorded record_sync(SimParameters parameters, SampleRate rate = SampleRate{2'000'000}) {
    TestBench bench(std::move(parameters));
    bench.boot();
    bench.command("echo nonce=ab >/proc/printk_test");
    Recorded recorded{.rate = rate, .samples = {}, .end = {}, .truth = {}, .bit = bench.station.bit_time()};
    const auto capture = bench.start_capture(recorded.samples, rate.hz / 5, rate);
    bench.pass(5ms);
    bench.command("echo 1 >/proc/irq_marker; sync; echo 0 >/proc/irq_marker");
    recorded.end = bench.finish(*capture);
    recorded.truth = bench.station.truth_of("ab").at(0);
    return recorded;
}

bool high(std::byte sample, unsigned bit) {
    return (std::to_integer<unsigned>(sample) >> bit & 1U) != 0;
}

/// The level of a record's wire at a time since its first edge.
bool level_of(std::string_view bytes, double since_start_s, double bit_s) {
    const auto bits = static_cast<std::size_t>(since_start_s / bit_s);
    const auto byte = static_cast<unsigned char>(bytes[bits / 10]);
    const auto place = bits % 10;
    if (place == 0) return false;
    return place == 9 || (byte >> (place - 1) & 1) != 0;
}

TEST(SimAnalyzer, EverySampleOfARecordIsTheWireAtItsInstant) {
    for (const double ppm : {0.0, 75.0, -300.0}) {
        const auto recorded = record_sync({.baud_error_ppm = 1234, .analyzer_ppm = ppm});
        const auto& place = recorded.truth.on_capture.value();
        // An own account in floating point: sample k is taken at k/rate on the analyzer's clock.
        const double bit_s = to_seconds(recorded.bit) * (1 + ppm * 1e-6);
        const double start_s = to_seconds(place.start.time_since_epoch());
        std::size_t compared = 0;
        for (std::size_t k = 0; k < recorded.samples.bytes.size(); ++k) {
            const double since = static_cast<double>(k) / static_cast<double>(recorded.rate.hz) - start_s;
            if (since < 0 || since >= bit_s * 2740) continue;
            const double phase = std::remainder(since, bit_s);
            if (std::abs(phase) < 1e-9) continue;  // nearer to an edge than floating point tells apart
            ASSERT_EQ(high(recorded.samples.bytes[k], 0), level_of(recorded.truth.record.bytes, since, bit_s))
                << "sample " << k << " at " << ppm << " ppm";
            ++compared;
        }
        EXPECT_GT(compared, 47'000U);
        EXPECT_NEAR(to_seconds(place.wire), to_seconds(recorded.truth.record.wire) * (1 + ppm * 1e-6), 1e-11);
    }
}

TEST(SimAnalyzer, TheMarkerIsHighForTheIrqOffSectionToTheSample) {
    const auto recorded = record_sync({.printk_before = 60us});
    const auto start_s = to_seconds(recorded.truth.on_capture.value().start.time_since_epoch()) - 60e-6;
    const auto first = static_cast<std::size_t>(std::ceil(start_s * 2e6 - 1e-6));
    std::size_t k = first;
    EXPECT_FALSE(high(recorded.samples.bytes[first - 1], 2));
    while (high(recorded.samples.bytes[k], 2)) ++k;
    EXPECT_NEAR(static_cast<double>(k - first) / 2e6, to_seconds(recorded.truth.record.marker.value()), 0.6e-6);
    EXPECT_EQ(recorded.truth.record.marker.value(), recorded.truth.record.irq_off);
}

TEST(SimAnalyzer, TheRigsOwnDecoderReadsTheRecordOffTheWire) {
    const auto recorded = record_sync({.baud_error_ppm = -8000, .frame_jitter = 3us}, SampleRate{4'000'000});
    wire::EdgeScanner scanner(1, 0);
    scanner.feed(recorded.samples.bytes);
    const auto decoded = wire::decode(std::move(scanner).finish(recorded.rate), Baud{115200}, wire::UartFormat{});
    const auto found = wire::find_bytes(decoded.frames, recorded.truth.record.bytes).value();
    const auto record = found.of(decoded.frames);
    EXPECT_EQ(record.size(), 274U);
    const auto start = recorded.truth.on_capture.value().start;
    EXPECT_LE(std::chrono::abs(record.front().start - start), picoseconds{250ns});
    for (const auto& frame : record) EXPECT_FALSE(frame.errors.any());
}

TEST(SimAnalyzer, ACaptureThatIsDoneSaysSoAndGivesWhatWasAskedFor) {
    const auto recorded = record_sync({});
    EXPECT_EQ(recorded.end.samples, 400'000U);
    EXPECT_EQ(recorded.samples.bytes.size(), 400'000U);
    EXPECT_TRUE(recorded.end.end_packet);
    EXPECT_EQ(recorded.end.error, "");
    EXPECT_EQ(recorded.samples.blocks.size(), 20U);
    // 200 ms of samples, and the 2 ms that the analyzer takes to start.
    EXPECT_NEAR(to_seconds(recorded.end.ended - recorded.end.started), 0.202, 1e-6);
    EXPECT_NEAR(to_seconds(recorded.end.first.value() - recorded.end.started), 0.012, 1e-6);
}

TEST(SimAnalyzer, ReachEndsWhenTheSamplesAreThere) {
    TestBench bench;
    KeptSamples samples;
    const auto capture = bench.start_capture(samples, 400'000);
    bench.clock.run_until_done(bench.io, capture->reach(50'000, {"idle", bench.in(1s)}));
    EXPECT_GE(capture->received(), 50'000U);
    EXPECT_LT(capture->received(), 80'000U);
    bench.clock.run_until_done(bench.io, capture->reach(400'001, {"idle", bench.in(10s)}));
    EXPECT_EQ(capture->received(), 400'000U);
}

TEST(SimAnalyzer, ADeadlineEndsReachAndStopsTheCapture) {
    TestBench bench;
    KeptSamples samples;
    const auto capture = bench.start_capture(samples, 400'000);
    bench.clock.run_until_done(bench.io, capture->reach(400'000, {"idle", bench.in(50ms)}));
    EXPECT_LT(capture->received(), 400'000U);
    const auto end = bench.finish(*capture, 30ms);
    EXPECT_FALSE(end.end_packet);
    EXPECT_EQ(end.error, "finish the capture: only 140001 of 400000 samples had come");
    KeptSamples next;
    EXPECT_TRUE(bench.finish(*bench.start_capture(next, 1000)).end_packet);
}

TEST(SimAnalyzer, ChannelsHaveTheirBitsAndOthersReadLow) {
    TestBench bench;
    KeptSamples samples;
    const auto capture = bench.clock.run_until_done(
        bench.io, bench.station.analyzer().start(
                      {.rate = SampleRate{1'000'000}, .samples = 100, .channels = {{"rx", "D1"}, {"marker", "D5"}}},
                      samples, {"start", bench.in(1s)}));
    EXPECT_EQ(capture->layout().unitsize, 1U);
    EXPECT_EQ(capture->layout().bits, (std::map<std::string, unsigned>{{"rx", 1}, {"marker", 5}}));
    bench.finish(*capture);
    for (const auto sample : samples.bytes) EXPECT_EQ(std::to_integer<int>(sample), 2);
}

TEST(SimAnalyzer, WhatItCannotDoIsRefusedWithWhatItCan) {
    TestBench bench;
    KeptSamples samples;
    const auto message_of = [&bench, &samples](device::CaptureRequest request) -> std::string {
        try {
            bench.clock.run_until_done(
                bench.io, bench.station.analyzer().start(std::move(request), samples, {"start", bench.in(1s)}));
        } catch (const PlanError& error) {
            return error.message();
        }
        return "accepted";
    };
    EXPECT_EQ(message_of({.rate = SampleRate{1000}, .samples = 1, .channels = {{"tx", "D8"}}}),
              "the analyzer sim has no channel 'D8' (asked for as tx) (D0 to D7)");
    EXPECT_EQ(message_of({.rate = SampleRate{100'000'000}, .samples = 1, .channels = {}}),
              "the analyzer sim has no sample rate of 100000000 Hz (1 Hz to 24000000 Hz)");
}

TEST(SimAnalyzer, OneCaptureRunsAtATime) {
    TestBench bench;
    KeptSamples samples;
    const auto capture = bench.start_capture(samples, 1000);
    EXPECT_THROW(bench.start_capture(samples, 1000), BenchError);
}

}  // namespace
}  // namespace rig::sim
