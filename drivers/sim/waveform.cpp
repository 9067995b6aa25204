// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/waveform.hpp"

#include <algorithm>

namespace rig::sim {
namespace {

/// ps·ppb in a second.
constexpr wide_int second = static_cast<wide_int>(1'000'000'000'000) * 1'000'000'000;

wide_int per_second(SampleRate rate, RateError error) {
    return static_cast<wide_int>(rate.hz) * (1'000'000'000 + error.ppb);
}

}  // namespace

std::uint64_t SampleClock::first_at(true_time t) const {
    if (t <= start_) return 0;
    return static_cast<std::uint64_t>(((t - start_).count() * per_second(rate_, error_) + second - 1) / second);
}

std::uint64_t SampleClock::taken_by(true_time t) const {
    if (t < start_) return 0;
    return static_cast<std::uint64_t>((t - start_).count() * per_second(rate_, error_) / second) + 1;
}

true_time SampleClock::time_of(std::uint64_t number) const {
    const auto rate = per_second(rate_, error_);
    return start_ + picoseconds{static_cast<std::int64_t>((static_cast<wide_int>(number) * second + rate - 1) / rate)};
}

Waveform::Waveform(SampleClock clock, std::vector<Probe> probes) : clock_(clock) {
    for (const auto& probe : probes) cursors_.push_back({probe, probe.trace->first_at(clock.start())});
}

void Waveform::add_heartbeat(unsigned bit, std::uint64_t hz) {
    heartbeats_.push_back({bit, 2 * hz});
}

std::uint64_t Waveform::apply(Cursor& cursor, std::uint64_t limit, unsigned& value) {
    const auto& trace = *cursor.probe.trace;
    while (cursor.next_change < trace.end() && clock_.first_at(trace.change(cursor.next_change).at) <= next_)
        ++cursor.next_change;
    if (trace.level_before(cursor.next_change) == wire::Level::high) value |= 1U << cursor.probe.bit;
    if (cursor.next_change == trace.end()) return limit;
    return std::min(limit, clock_.first_at(trace.change(cursor.next_change).at));
}

void Waveform::fill(std::span<std::byte> samples) {
    const auto end = next_ + samples.size();
    auto out = samples.begin();
    while (next_ < end) {
        auto until = end;
        unsigned value = fixed_;
        for (auto& cursor : cursors_) until = apply(cursor, until, value);
        for (const auto& [bit, halves] : heartbeats_) {
            const auto half = next_ * halves / clock_.rate().hz;
            if (half % 2 == 0) value |= 1U << bit;
            until = std::min(until, ((half + 1) * clock_.rate().hz + halves - 1) / halves);
        }
        for (const auto change : {glitch_.at, glitch_.at + glitch_.samples}) {
            if (change > next_) until = std::min(until, change);
        }
        if (next_ >= glitch_.at && next_ < glitch_.at + glitch_.samples) value &= ~(1U << glitch_.bit);
        const auto count = static_cast<std::ptrdiff_t>(until - next_);
        out = std::fill_n(out, count, static_cast<std::byte>(value));
        next_ = until;
    }
}

}  // namespace rig::sim
