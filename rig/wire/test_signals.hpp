// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/wire/generate.hpp"
#include "rig/wire/uart.hpp"

#include <cmath>
#include <string_view>

/// Short ways to make lines for the tests of this folder.
namespace rig::wire::testing {

constexpr SampleRate four_mhz{4'000'000};
constexpr Baud baud_115200{115200};
constexpr double bit_115200_ps = 1e12 / 115200;

inline picoseconds bits(double count, double bit_ps = bit_115200_ps) {
    return picoseconds{std::llround(count * bit_ps)};
}

inline Transmitter transmitter(std::string_view format = "8N1", double bit_ps = bit_115200_ps) {
    Transmitter result;
    result.bit_ps = bit_ps;
    result.format = parse_uart_format(format);
    return result;
}

/// A writer whose line has idled long enough for its first start bit to be trusted.
inline WaveformWriter idle_writer(std::string_view format = "8N1", double bit_ps = bit_115200_ps) {
    WaveformWriter writer(transmitter(format, bit_ps));
    writer.idle(bits(15, bit_ps));
    return writer;
}

/// The line as sampled from time zero until `tail` bits of idle time after its last frame.
inline Trace sampled(const WaveformWriter& writer, SampleRate rate = four_mhz, double tail = 15) {
    const picoseconds length = writer.now().time_since_epoch() + bits(tail);
    const auto samples = static_cast<std::uint64_t>(to_seconds(length) * static_cast<double>(rate.hz));
    return sample(writer.waveform(), rate, samples, picoseconds{12'345});
}

/// The sample at which a time lies.
inline SampleIndex sample_at(wire_time at, SampleRate rate = four_mhz) {
    return SampleIndex{static_cast<std::uint64_t>(to_seconds(at.time_since_epoch()) * static_cast<double>(rate.hz))};
}

}  // namespace rig::wire::testing
