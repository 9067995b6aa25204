// SPDX-License-Identifier: GPL-3.0-or-later
#include "time.hpp"

#include <stdexcept>

namespace vbench {

namespace {

__extension__ using Wide = __int128;

constexpr Wide nanoseconds_per_second = 1'000'000'000;
constexpr Wide picoseconds_per_second = 1'000'000'000'000;

Wide nearest_quotient(Wide numerator, Wide denominator) {
    return (numerator + denominator / 2) / denominator;
}

}  // namespace

UartTiming::UartTiming(std::uint32_t baud) : baud_(baud) {
    if (baud == 0) throw std::invalid_argument("a baud rate of 0 has no bit time; give a rate of at least 1");
}

nanoseconds UartTiming::frames(std::int64_t count) const {
    const Wide length = nearest_quotient(Wide{count} * bits_per_frame * nanoseconds_per_second, Wide{baud_});
    return nanoseconds(static_cast<std::int64_t>(length));
}

Picoseconds UartTiming::bits(int count) const {
    return Picoseconds(static_cast<std::int64_t>(nearest_quotient(Wide{count} * picoseconds_per_second, Wide{baud_})));
}

SampleClock::SampleClock(std::uint64_t rate) : rate_(rate) {
    if (rate == 0) throw std::invalid_argument("a sample rate of 0 takes no samples; give a rate of at least 1");
}

std::uint64_t SampleClock::first_at_or_after(Picoseconds since_start) const {
    if (since_start.count() <= 0) return 0;
    const Wide scaled = Wide{since_start.count()} * Wide{rate_};
    return static_cast<std::uint64_t>((scaled + picoseconds_per_second - 1) / picoseconds_per_second);
}

std::uint64_t SampleClock::taken_by(Picoseconds since_start) const {
    if (since_start.count() < 0) return 0;
    return static_cast<std::uint64_t>(Wide{since_start.count()} * Wide{rate_} / picoseconds_per_second) + 1;
}

Picoseconds SampleClock::time_of(std::uint64_t number) const {
    return Picoseconds(static_cast<std::int64_t>(Wide{number} * picoseconds_per_second / Wide{rate_}));
}

}  // namespace vbench
