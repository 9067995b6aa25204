// SPDX-License-Identifier: GPL-3.0-or-later
// Random lines of every kind that the decoder claims to read: the bytes must be those sent, and the stated uncertainty
// must be true. Everything follows from the run's number, so a failure can be run again.
#include "rig/wire/bit_time.hpp"
#include "rig/wire/generate.hpp"
#include "rig/wire/uart.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rig::wire {
namespace {

constexpr std::array formats{"5N1", "6N1", "7N1",          "8N1", "9N1",     "7O1",   "8E1",         "8O2",
                             "7E1", "8N2", "8N1/inverted", "8M1", "8S1/msb", "5N1.5", "8E1/inverted"};

class RandomSignal {
public:
    explicit RandomSignal(std::uint64_t number) : random_(number) {
        format_ = parse_uart_format(formats[random_() % formats.size()]);
        samples_per_bit_ = 4 * std::pow(50, uniform());  // 4 to 200
        const double baud = 300 * std::pow(3000, uniform());
        rate_ = SampleRate{static_cast<std::uint64_t>(std::llround(baud * samples_per_bit_))};
        nominal_ = picoseconds{std::llround(1e12 / baud)};
        true_bit_ps_ = 1e12 / baud * (1 + 0.03 * (2 * uniform() - 1));
        write();
    }

    [[nodiscard]] const Trace& trace() const { return trace_; }
    [[nodiscard]] const UartFormat& format() const { return format_; }
    [[nodiscard]] picoseconds nominal() const { return nominal_; }
    [[nodiscard]] double true_bit_ps() const { return true_bit_ps_; }
    [[nodiscard]] const std::vector<std::uint16_t>& values() const { return values_; }
    [[nodiscard]] unsigned glitches() const { return glitches_; }
    [[nodiscard]] std::string describe() const {
        return fmt::format("{}, {:.2f} samples a bit, {} frames, {} glitches", to_string(format_), samples_per_bit_,
                           values_.size(), glitches_);
    }

private:
    double uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
    picoseconds bits(double count) const { return picoseconds{std::llround(count * true_bit_ps_)}; }

    void write() {
        Transmitter transmitter;
        transmitter.bit_ps = true_bit_ps_;
        transmitter.format = format_;
        transmitter.seed = random_();
        constexpr std::array jitters{0.0, 0.01, 0.03};
        transmitter.jitter_ps = jitters[random_() % jitters.size()] * uniform() * true_bit_ps_;
        WaveformWriter writer(transmitter);
        writer.idle(bits(frame_bits(format_) + 2 + 10 * uniform()));
        constexpr std::array longest_gaps{0.0, 3.0, 20.0};
        const double longest_gap = longest_gaps[random_() % longest_gaps.size()];
        const std::uint64_t frames = 1 + random_() % 40;
        std::vector<wire_time> starts;
        for (std::uint64_t i = 0; i < frames; ++i) {
            if (longest_gap > 0 && random_() % 4 == 0) writer.idle(bits(longest_gap * uniform()));
            values_.push_back(static_cast<std::uint16_t>(random_() % (std::uint64_t{1} << format_.data_bits)));
            starts.push_back(writer.send(values_.back()));
        }
        writer.idle(bits(12));
        const auto samples =
            static_cast<std::uint64_t>(to_seconds(writer.now().time_since_epoch()) * static_cast<double>(rate_.hz));
        const picoseconds phase{std::llround(uniform() * 1e12 / static_cast<double>(rate_.hz))};
        trace_ = sample(writer.waveform(), rate_, samples, phase);
        if (samples_per_bit_ >= 8 && random_() % 2 == 0) add_glitches(starts, phase);
    }

    void add_glitches(const std::vector<wire_time>& starts, picoseconds phase) {
        for (const wire_time start : starts) {
            if (random_() % 3 != 0) continue;
            const auto bit = static_cast<double>(random_() % (stop_bit_index(format_) + 1));
            const double at = to_seconds((start + bits(bit + 0.5)).time_since_epoch() - phase);
            trace_ = with_spike(trace_, SampleIndex{static_cast<std::uint64_t>(at * static_cast<double>(rate_.hz))}, 1);
            ++glitches_;
        }
    }

    std::mt19937_64 random_;
    UartFormat format_;
    double samples_per_bit_ = 0;
    SampleRate rate_;
    picoseconds nominal_{0};
    double true_bit_ps_ = 0;
    std::vector<std::uint16_t> values_;
    Trace trace_;
    unsigned glitches_ = 0;
};

TEST(Property, RandomLinesDecodeToWhatWasSentAndTheIntervalHoldsTheBitTime) {
#ifdef RIG_SANITIZED
    constexpr std::uint64_t runs = 1000;
#else
    constexpr std::uint64_t runs = 6000;
#endif
    unsigned fitted = 0, outside = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        const RandomSignal signal(run);
        SCOPED_TRACE(fmt::format("run {}: {}", run, signal.describe()));
        const FittedDecode result = decode_fitted(signal.trace(), signal.nominal(), signal.format());
        std::vector<std::uint16_t> values;
        unsigned errors = 0;
        for (const Frame& frame : result.decoded.frames) {
            values.push_back(frame.value);
            errors += frame.errors.any() ? 1U : 0U;
        }
        ASSERT_EQ(values, signal.values());
        ASSERT_EQ(errors, 0U);
        ASSERT_EQ(result.decoded.glitches.size(), signal.glitches());
        if (!result.fit) {
            ASSERT_GT(signal.glitches(), 0U);
            continue;
        }
        ++fitted;
        outside += std::abs(result.fit->bit_ps - signal.true_bit_ps()) > 1.96 * result.fit->u_ps ? 1U : 0U;
    }
    RecordProperty("fitted", static_cast<int>(fitted));
    RecordProperty("outside", static_cast<int>(outside));
    EXPECT_GT(fitted, runs * 9 / 10);
    EXPECT_LE(outside, fitted * 6 / 100) << "of " << fitted;
}

}  // namespace
}  // namespace rig::wire
