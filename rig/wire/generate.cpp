// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/generate.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace rig::wire {

namespace {

__extension__ using wide = __int128;

constexpr std::int64_t ps_per_second = 1'000'000'000'000;

Level mark_of(const UartFormat& format) {
    return format.polarity == Polarity::normal ? Level::high : Level::low;
}

/// A number in [0, 1) that is the same with every standard library.
double uniform(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11U) * 0x1p-53;
}

/// A normal deviate cut at three standard deviations (Box and Muller), the same with every standard library.
double normal(std::mt19937_64& random) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
    return std::clamp(radius * std::cos(2 * std::numbers::pi * uniform(random)), -3.0, 3.0);
}

Level level_at(const Trace& trace, std::size_t edges_passed) {
    return edges_passed == 0 ? trace.initial : trace.edges[edges_passed - 1].level;
}

std::size_t edges_up_to(const Trace& trace, std::uint64_t sample) {
    const auto after = std::ranges::upper_bound(trace.edges, SampleIndex{sample}, {}, &Edge::at);
    return static_cast<std::size_t>(after - trace.edges.begin());
}

/// Puts a level change at the end of a trace's edges, or takes back the last one when both are at the same sample.
void append(Trace& trace, std::uint64_t at, Level level) {
    if (level == level_at(trace, trace.edges.size())) return;
    if (!trace.edges.empty() && trace.edges.back().at.value == at) {
        trace.edges.pop_back();
        return;
    }
    if (at == 0)
        trace.initial = level;
    else
        trace.edges.push_back({SampleIndex{at}, level});
}

}  // namespace

WaveformWriter::WaveformWriter(const Transmitter& transmitter)
    : transmitter_(transmitter), random_(transmitter.seed), level_(mark_of(transmitter.format)) {
    if (!(transmitter.bit_ps >= 1)) throw RigError("a generated line needs a bit time of 1 ps or more");
    waveform_.initial = level_;
}

wire_time WaveformWriter::now() const {
    return origin_ + picoseconds{std::llround(static_cast<double>(half_bits_) * transmitter_.bit_ps / 2)};
}

void WaveformWriter::rebase(wire_time at) {
    origin_ = at;
    half_bits_ = 0;
}

void WaveformWriter::drive(double ps, Level level) {
    if (level == level_) return;
    level_ = level;
    double place = ps + (transmitter_.jitter_ps > 0 ? transmitter_.jitter_ps * normal(random_) : 0);
    if (level == mark_of(transmitter_.format)) place += static_cast<double>(transmitter_.mark_delay.count());
    wire_time at = origin_ + picoseconds{std::llround(place)};
    if (!waveform_.transitions.empty()) at = std::max(at, waveform_.transitions.back().at + picoseconds{1});
    waveform_.transitions.push_back({std::max(at, wire_time{}), level});
}

std::uint32_t WaveformWriter::symbols_of(std::uint16_t value, std::uint32_t flip) const {
    const UartFormat& format = transmitter_.format;
    std::uint32_t symbols = 0;
    for (unsigned bit = 0; bit < format.data_bits; ++bit) {
        const unsigned place = format.bit_order == BitOrder::lsb_first ? bit : format.data_bits - 1 - bit;
        symbols |= (static_cast<std::uint32_t>(value) >> place & 1U) << (1 + bit);
    }
    if (parity_bit_of(format, value)) symbols |= 1U << (1 + format.data_bits);
    return (symbols | 1U << stop_bit_index(format)) ^ flip;
}

void WaveformWriter::put_symbols(std::uint32_t symbols, unsigned count, unsigned half_bits) {
    const Level mark = mark_of(transmitter_.format);
    for (unsigned i = 0; i < count; ++i) {
        const double place = static_cast<double>(half_bits_ + 2ULL * i) * transmitter_.bit_ps / 2;
        drive(place, (symbols >> i & 1U) != 0 ? mark : opposite(mark));
    }
    half_bits_ += half_bits;
}

wire_time WaveformWriter::send(std::uint16_t value) {
    const wire_time start = now();
    const UartFormat& format = transmitter_.format;
    put_symbols(symbols_of(value, 0), stop_bit_index(format) + 1, frame_half_bits(format));
    return start;
}

wire_time WaveformWriter::send_at(wire_time at, std::uint16_t value) {
    if (at > now()) rebase(at);
    return send(value);
}

wire_time WaveformWriter::send_with_wrong_parity(std::uint16_t value) {
    const UartFormat& format = transmitter_.format;
    if (format.parity == Parity::none) throw RigError("a format without parity cannot be sent with wrong parity");
    const wire_time start = now();
    put_symbols(symbols_of(value, 1U << (1 + format.data_bits)), stop_bit_index(format) + 1, frame_half_bits(format));
    return start;
}

wire_time WaveformWriter::send_without_stop(std::uint16_t value) {
    const UartFormat& format = transmitter_.format;
    const wire_time start = now();
    const unsigned stop = stop_bit_index(format);
    put_symbols(symbols_of(value, 1U << stop), stop + 1, frame_half_bits(format));
    drive(static_cast<double>(half_bits_) * transmitter_.bit_ps / 2, mark_of(format));
    half_bits_ += 2;
    return start;
}

void WaveformWriter::send_text(std::string_view text) {
    for (const char byte : text) send(static_cast<unsigned char>(byte));
}

void WaveformWriter::idle(picoseconds length) {
    rebase(now() + length);
}

void WaveformWriter::send_break(picoseconds length) {
    rebase(now());
    const Level mark = mark_of(transmitter_.format);
    drive(0, opposite(mark));
    rebase(now() + length);
    drive(0, mark);
    half_bits_ = 2;
}

void WaveformWriter::unpowered(picoseconds length) {
    const Level mark = mark_of(transmitter_.format);
    if (now() == wire_time{}) {
        waveform_.initial = opposite(mark);
        level_ = waveform_.initial;
    }
    rebase(now());
    drive(0, opposite(mark));
    rebase(now() + length);
    drive(0, mark);
}

Trace sample(const Waveform& waveform, SampleRate rate, std::uint64_t samples, picoseconds phase) {
    Trace trace;
    trace.rate = rate;
    trace.samples = samples;
    trace.initial = waveform.initial;
    for (const Transition& transition : waveform.transitions) {
        const wide distance = static_cast<wide>((transition.at.time_since_epoch() - phase).count()) * rate.hz;
        const wide at = distance <= 0 ? 0 : (distance + ps_per_second - 1) / ps_per_second;
        if (at >= static_cast<wide>(samples)) break;
        append(trace, static_cast<std::uint64_t>(at), transition.level);
    }
    return trace;
}

Trace with_spike(Trace trace, SampleIndex at, std::uint64_t count) {
    const std::uint64_t end = std::min(at.value + count, trace.samples);
    Trace result{trace.rate, trace.samples, trace.initial, {}};
    if (at.value >= end) return trace;
    const Level before = level_at(trace, edges_up_to(trace, at.value));
    std::size_t next = 0;
    for (; next < trace.edges.size() && trace.edges[next].at < at; ++next) result.edges.push_back(trace.edges[next]);
    append(result, at.value, opposite(before));
    for (; next < trace.edges.size() && trace.edges[next].at.value < end; ++next)
        append(result, trace.edges[next].at.value, opposite(trace.edges[next].level));
    append(result, end, level_at(trace, edges_up_to(trace, end)));
    for (; next < trace.edges.size(); ++next) append(result, trace.edges[next].at.value, trace.edges[next].level);
    return result;
}

Trace with_lost_samples(const Trace& trace, SampleIndex at, std::uint64_t count) {
    count = std::min(count, trace.samples - std::min(at.value, trace.samples));
    Trace result{trace.rate, trace.samples - count, trace.initial, {}};
    std::size_t next = 0;
    for (; next < trace.edges.size() && trace.edges[next].at < at; ++next) result.edges.push_back(trace.edges[next]);
    append(result, at.value, level_at(trace, edges_up_to(trace, at.value + count)));
    for (; next < trace.edges.size(); ++next)
        if (trace.edges[next].at.value > at.value + count)
            append(result, trace.edges[next].at.value - count, trace.edges[next].level);
    return result;
}

Trace cut(const Trace& trace, SampleIndex from, std::uint64_t count) {
    Trace result;
    result.rate = trace.rate;
    result.samples = std::min(count, trace.samples - std::min(from.value, trace.samples));
    const std::size_t passed = edges_up_to(trace, from.value);
    result.initial = level_at(trace, passed);
    for (std::size_t i = passed; i < trace.edges.size(); ++i) {
        const std::uint64_t at = trace.edges[i].at.value - from.value;
        if (at >= result.samples) break;
        result.edges.push_back({SampleIndex{at}, trace.edges[i].level});
    }
    return result;
}

std::vector<std::byte> to_samples(std::span<const Lane> lanes, std::size_t unitsize, SampleIndex from,
                                  std::uint64_t count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * unitsize);
    for (const Lane& lane : lanes) {
        if (lane.bit >= 8 * unitsize) throw RigError("a lane lies outside its sample unit");
        const std::byte bit{static_cast<unsigned char>(1U << lane.bit % 8)};
        std::size_t passed = edges_up_to(*lane.trace, from.value);
        std::uint64_t at = 0;
        while (at < count) {
            const bool more = passed < lane.trace->edges.size();
            const std::uint64_t until = more ? std::min(count, lane.trace->edges[passed].at.value - from.value) : count;
            if (level_at(*lane.trace, passed) == Level::high)
                for (; at < until; ++at) bytes[static_cast<std::size_t>(at) * unitsize + lane.bit / 8] |= bit;
            at = until;
            ++passed;
        }
    }
    return bytes;
}

}  // namespace rig::wire
