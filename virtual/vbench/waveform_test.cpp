// SPDX-License-Identifier: GPL-3.0-or-later
#include "waveform.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vbench {
namespace {

using namespace std::chrono_literals;

constexpr std::uint8_t tx = 1;
constexpr std::uint8_t rx = 2;
constexpr std::uint8_t marker = 4;
constexpr std::uint8_t heartbeat = 8;

WireLog log_at(std::uint32_t baud) {
    return {UartTiming(baud), Instant(0ns)};
}

std::vector<std::uint8_t> take(Waveform& waveform, std::size_t count) {
    std::vector<std::uint8_t> samples(count);
    waveform.fill(samples);
    return samples;
}

std::size_t first_without(const std::vector<std::uint8_t>& samples, std::uint8_t mask) {
    std::size_t k = 0;
    while (k < samples.size() && (samples[k] & mask) != 0) ++k;
    return k;
}

/// A UART receiver as simple as can be: samples each bit in its middle after a falling edge.
std::string decode(const std::vector<std::uint8_t>& samples, std::uint8_t mask, double samples_per_bit) {
    std::string text;
    std::size_t k = 0;
    while ((k = k + first_without({samples.begin() + static_cast<std::ptrdiff_t>(k), samples.end()}, mask)) <
           samples.size()) {
        unsigned byte = 0;
        for (int bit = 0; bit < 8; ++bit) {
            const auto middle = k + static_cast<std::size_t>((bit + 1.5) * samples_per_bit);
            if ((samples.at(middle) & mask) != 0) byte |= 1U << bit;
        }
        text.push_back(static_cast<char>(byte));
        k += static_cast<std::size_t>(9.5 * samples_per_bit);
    }
    return text;
}

TEST(Waveform, IdleLinesAreHighAndTheMarkerIsLow) {
    const WireLog log = log_at(115200);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    for (const std::uint8_t sample : take(waveform, 500)) EXPECT_EQ(sample, tx | rx | heartbeat);
}

TEST(Waveform, EdgesReportedTooLateAndForgottenShowFromTheNextSampleOn) {
    WireLog log = log_at(115200);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    take(waveform, 500);
    log.set_marker(Instant(100us), Level::high);
    log.forget_until(Instant(499us));
    for (const std::uint8_t sample : take(waveform, 10)) EXPECT_NE(sample & marker, 0);
}

TEST(Waveform, AGlitchIsLowForItsSamplesOnTheTxProbeOnly) {
    const WireLog log = log_at(115200);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {},
                      {{.at = 5, .samples = 2}, {.at = 9, .samples = 1}});
    const auto samples = take(waveform, 12);
    for (std::size_t k = 0; k < samples.size(); ++k) {
        EXPECT_EQ((samples[k] & tx) != 0, k != 5 && k != 6 && k != 9) << "sample " << k;
        EXPECT_NE(samples[k] & rx, 0);
    }
}

TEST(Waveform, TheHeartbeatHasAPeriodOfOneMillisecondFromSampleZero) {
    const WireLog log = log_at(115200);
    Waveform waveform(log, Instant(7ms), SampleClock(1'000'000), {});
    const auto samples = take(waveform, 3000);
    for (std::size_t k = 0; k < samples.size(); ++k) {
        EXPECT_EQ((samples[k] & heartbeat) != 0, k / 500 % 2 == 0) << "sample " << k;
    }
}

TEST(Waveform, AnEdgeShowsInTheFirstSampleAtOrAfterIt) {
    WireLog log = log_at(115200);
    log.add_frame(Wire::tx, Instant(100us), 0);
    log.add_frame(Wire::rx, Instant(100us + 1ns), 0);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    const auto samples = take(waveform, 200);
    EXPECT_EQ(first_without(samples, tx), 100U);
    EXPECT_EQ(first_without(samples, rx), 101U);
}

TEST(Waveform, TextOnTheWireIsDecodedFromTheSamples) {
    WireLog log = log_at(115200);
    const std::string text = "IRQs were off for 23.8 ms";
    for (std::size_t n = 0; n < text.size(); ++n) {
        const auto start = Instant(1ms + UartTiming(115200).frames(static_cast<std::int64_t>(n)));
        log.add_frame(Wire::tx, start, static_cast<std::uint8_t>(text[n]));
    }
    Waveform waveform(log, Instant(0ns), SampleClock(2'000'000), {});
    EXPECT_EQ(decode(take(waveform, 8000), tx, 2e6 / 115200), text);
}

TEST(Waveform, SamplesAreTheSameInOnePieceAndInMany) {
    WireLog log = log_at(9600);
    for (int n = 0; n < 20; ++n) log.add_frame(Wire::tx, Instant(n * 1300us), static_cast<std::uint8_t>(37 * n));
    log.set_marker(Instant(3333us), Level::high);
    log.set_marker(Instant(7777us), Level::low);
    Waveform whole(log, Instant(50us), SampleClock(999'983), {});
    Waveform pieces(log, Instant(50us), SampleClock(999'983), {});
    const auto expected = take(whole, 26'000);
    std::vector<std::uint8_t> joined;
    for (std::size_t size = 1; joined.size() + size <= expected.size(); size = size % 97 + 1) {
        const auto piece = take(pieces, size);
        joined.insert(joined.end(), piece.begin(), piece.end());
    }
    const auto rest = take(pieces, expected.size() - joined.size());
    joined.insert(joined.end(), rest.begin(), rest.end());
    EXPECT_EQ(joined, expected);
}

TEST(Waveform, ACaptureThatStartsInsideAPulseStartsHigh) {
    WireLog log = log_at(115200);
    log.set_marker(Instant(1ms), Level::high);
    log.set_marker(Instant(3ms), Level::low);
    Waveform waveform(log, Instant(2ms), SampleClock(1'000'000), {});
    const auto samples = take(waveform, 2000);
    EXPECT_EQ(first_without(samples, marker), 1000U);
}

TEST(Waveform, APulseBetweenTwoSamplesIsNotSeen) {
    WireLog log = log_at(115200);
    log.set_marker(Instant(1ms + 10ns), Level::high);
    log.set_marker(Instant(1ms + 20ns), Level::low);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    for (const std::uint8_t sample : take(waveform, 2000)) EXPECT_EQ(sample & marker, 0);
}

TEST(Waveform, ALostBlockLeavesAJumpInTheHeartbeat) {
    const WireLog log = log_at(115200);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    const auto before = take(waveform, 600);
    waveform.skip(300);
    const auto after = take(waveform, 400);
    EXPECT_EQ(waveform.next(), 1300U);
    EXPECT_EQ(before[599] & heartbeat, 0);
    EXPECT_EQ(after[99] & heartbeat, 0);
    EXPECT_EQ(after[100] & heartbeat, heartbeat);
}

TEST(Waveform, EdgesUpToTheLastSampleAreNoLongerNeeded) {
    WireLog log = log_at(115200);
    for (int n = 0; n < 50; ++n) log.add_frame(Wire::tx, Instant(n * 1ms), static_cast<std::uint8_t>(n));
    Waveform keeping(log, Instant(0ns), SampleClock(123'457), {});
    const auto expected = take(keeping, 6000);
    Waveform forgetting(log, Instant(0ns), SampleClock(123'457), {});
    for (std::size_t k = 0; k < 6000; k += 300) {
        const auto samples = take(forgetting, 300);
        EXPECT_TRUE(std::equal(samples.begin(), samples.end(), expected.begin() + static_cast<std::ptrdiff_t>(k)));
        log.forget_until(Instant(std::chrono::duration_cast<nanoseconds>(forgetting.sampled_until())));
    }
    EXPECT_LT(log.track(Wire::tx).kept(), 50U);
}

TEST(Waveform, ALostBlockDoesNotMakeItsEdgesForgotten) {
    WireLog log = log_at(115200);
    log.add_frame(Wire::tx, Instant(2ms), 0xf0);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000), {});
    take(waveform, 1000);
    waveform.skip(2000);
    log.forget_until(Instant(std::chrono::duration_cast<nanoseconds>(waveform.sampled_until())));
    EXPECT_EQ(take(waveform, 1).front() & tx, tx);
}

TEST(Waveform, AnUnpluggedProbeReadsHighOnAUartLineAndLowOnTheMarker) {
    WireLog log = log_at(115200);
    log.add_frame(Wire::tx, Instant(100us), 0);
    log.set_marker(Instant(100us), Level::high);
    Waveform waveform(log, Instant(0ns), SampleClock(1'000'000),
                      {ProbeState::in_the_air, ProbeState::sound, ProbeState::in_the_air});
    for (const std::uint8_t sample : take(waveform, 1000)) {
        EXPECT_EQ(sample & tx, tx);
        EXPECT_EQ(sample & marker, 0);
    }
}

TEST(Waveform, AStuckProbeReadsLowAndAnInvertedOneTheOpposite) {
    WireLog log = log_at(115200);
    log.add_frame(Wire::tx, Instant(100us), 0x5a);
    log.set_marker(Instant(300us), Level::high);
    Waveform sound(log, Instant(0ns), SampleClock(1'000'000), {});
    Waveform faulty(log, Instant(0ns), SampleClock(1'000'000),
                    {ProbeState::inverted, ProbeState::stuck_low, ProbeState::sound});
    const auto expected = take(sound, 1000);
    const auto samples = take(faulty, 1000);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_NE(samples[i] & tx, expected[i] & tx) << i;
        EXPECT_EQ(samples[i] & rx, 0) << i;
        EXPECT_EQ(samples[i] & marker, expected[i] & marker) << i;
    }
}

TEST(Waveform, WideSamplesHoldTheSameBits) {
    WireLog log = log_at(115200);
    log.add_frame(Wire::tx, Instant(100us), 'a');
    Waveform narrow(log, Instant(0ns), SampleClock(1'000'000), {});
    Waveform wide(log, Instant(0ns), SampleClock(1'000'000), {});
    const auto expected = take(narrow, 1000);
    std::vector<std::uint16_t> samples(1000);
    wide.fill(samples);
    EXPECT_TRUE(std::ranges::equal(samples, expected));
}

TEST(Waveform, AtTenSamplesPerSecondEachSampleIsTheLevelOfItsMoment) {
    WireLog log = log_at(115200);
    log.set_marker(Instant(150ms), Level::high);
    log.set_marker(Instant(350ms), Level::low);
    Waveform waveform(log, Instant(0ns), SampleClock(10), {});
    const auto samples = take(waveform, 6);
    const std::vector<bool> expected{false, false, true, true, false, false};
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ((samples[k] & marker) != 0, expected[k]);
}

}  // namespace
}  // namespace vbench
