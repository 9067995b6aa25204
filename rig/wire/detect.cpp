// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/detect.hpp"

#include "rig/wire/bit_time.hpp"
#include "rig/wire/glitch.hpp"
#include "rig/wire/standard_rates.hpp"
#include "rig/wire/uart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace rig::wire {

namespace {

/// Edges that are looked at: enough to be sure, few enough for a blink.
constexpr std::size_t most_edges = 3000;
constexpr double least_samples_per_bit = 3;
/// Shorter bits are not looked at, nor could they be decoded (decode needs two samples).
constexpr double shortest_looked_at = 2.1;
/// Two bit times this close are one.
constexpr double same_rate = 0.04;

constexpr double certain_bits = 20;
constexpr double likely_bits = 7;
constexpr double most_of_few_values = likely_bits - 1;

// Prices in bits, -log2 of how likely a working line shows such a thing.
constexpr double framing_price = 14;
constexpr double parity_error_price = 12;
constexpr double break_price = 12;
constexpr double glitch_price = 10;
constexpr double rare_format_price = 8;
constexpr double less_common_price = 2;
constexpr double odd_rate_price = 10;
constexpr double new_gap_price = 6;
constexpr double story_price = 16;  // of claiming a UART at all

double bits_of(double count) {
    return std::log2(std::max(1.0, count));
}

/// Says values one by one by the counts so far (Krichevsky–Trofimov with a prior for text).
class ValueCode {
public:
    explicit ValueCode(unsigned bits) : counts_(std::size_t{1} << bits, 0.5) {
        constexpr double text_weight = 2;
        if (bits == 7 || bits == 8)
            for (std::size_t value = 0; value < 128; ++value)
                if ((value >= 0x20 && value < 0x7f) || value == '\r' || value == '\n') counts_[value] = text_weight;
        for (const double count : counts_) total_ += count;
    }

    double price(std::size_t value) {
        const double bits = std::log2(total_ / counts_[value]);
        counts_[value] += 1;
        total_ += 1;
        return bits;
    }

private:
    std::vector<double> counts_;
    double total_ = 0;
};

/// What pulses that are no whole bits cost, at a resolution of one sample: the entropy of a two-sided exponential
/// scatter, which a few edges far off do not widen for all. What all pulses that end in one level have in common is a
/// slow driver's, and free.
class Scatter {
public:
    void add(double samples, Level to) { off_[to == Level::high ? 1 : 0].push_back(samples); }

    [[nodiscard]] double price() const {
        constexpr double least = 0.34;  // what sampling alone scatters a pulse
        double sum = 0, count = 0;
        for (const std::vector<double>& off : off_) {
            double mean = 0;
            for (const double each : off) mean += each / static_cast<double>(off.size());
            for (const double each : off) sum += std::abs(each - mean);
            count += static_cast<double>(off.size());
        }
        return count == 0 ? 0 : count * std::log2(2 * std::numbers::e * std::max(least, sum / count));
    }

private:
    std::array<std::vector<double>, 2> off_;
};

/// A way to read the line, and how many bits its story takes.
struct Reading {
    double bit_samples = 0;
    UartFormat format;
    double price = std::numeric_limits<double>::infinity();
    std::size_t frames = 0;
    std::size_t bad_frames = 0;  ///< without a stop bit: framing errors and breaks
    std::size_t distinct_values = 0;
};

/// The beginning of the line that is looked at.
Trace beginning_of(const Trace& trace) {
    Trace part{trace.rate, trace.samples, trace.initial, {}};
    const std::size_t count = std::min(trace.edges.size(), most_edges);
    part.edges.assign(trace.edges.begin(), trace.edges.begin() + static_cast<std::ptrdiff_t>(count));
    if (count < trace.edges.size()) part.samples = trace.edges[count].at.value;
    return part;
}

struct Pulses {
    std::array<std::vector<double>, 2> by_level;  // low, high; the line's two ends are no pulses
};

Pulses pulses_of(std::span<const Edge> edges) {
    Pulses pulses;
    for (std::size_t i = 1; i < edges.size(); ++i)
        pulses.by_level[edges[i - 1].level == Level::high ? 1 : 0].push_back(
            static_cast<double>(edges[i].at.value - edges[i - 1].at.value));
    return pulses;
}

/// Least squares of the pulses about whole multiples of a bit, highs longer and lows shorter by one common amount.
double refine(const Pulses& pulses, double bit) {
    constexpr double longest_bits = 11.5;
    double skew = 0;
    for (int pass = 0; pass < 4; ++pass) {
        double nn = 0, nw = 0, skews = 0, count = 0;
        for (std::size_t level = 0; level < 2; ++level) {
            const double sign = level == 1 ? 1 : -1;
            for (const double width : pulses.by_level[level]) {
                const double n = std::round((width - sign * skew) / bit);
                if (n < 1 || n > longest_bits || std::abs(width - sign * skew - n * bit) > 0.3 * bit) continue;
                nn += n * n;
                nw += n * (width - sign * skew);
                skews += sign * (width - n * bit);
                count += 1;
            }
        }
        if (count == 0) return 0;
        bit = nw / nn;
        if (count >= 6) skew = std::clamp(skews / count, -0.2 * bit, 0.2 * bit);
    }
    return bit;
}

void add_candidate(std::vector<double>& candidates, double bit) {
    if (bit < shortest_looked_at) return;
    const bool known = std::ranges::any_of(candidates, [&](double c) { return std::abs(c / bit - 1) < 0.004; });
    if (!known) candidates.push_back(bit);
}

/// The shortest widths that occur as groups: each may be one bit, or a few.
std::vector<double> short_widths(const Pulses& pulses) {
    constexpr std::size_t most_groups = 6;
    std::vector<double> widths;
    for (const auto& level : pulses.by_level) {
        std::vector<double> sorted = level;
        std::ranges::sort(sorted);
        std::size_t groups = 0;
        for (std::size_t i = 0; i < sorted.size() && groups < most_groups; ++groups) {
            std::size_t end = i;
            double sum = 0;
            while (end < sorted.size() && sorted[end] <= 1.15 * sorted[i] + 1) sum += sorted[end++];
            widths.push_back(sum / static_cast<double>(end - i));
            i = end;
        }
    }
    return widths;
}

std::vector<double> candidate_bits(const Pulses& pulses, SampleRate rate) {
    constexpr unsigned most_bits_in_shortest = 9;
    std::vector<double> candidates;
    for (const double width : short_widths(pulses))
        for (unsigned bits = 1; bits <= most_bits_in_shortest; ++bits) {
            const double refined = refine(pulses, width / bits);
            if (refined > 0) add_candidate(candidates, refined);
        }
    for (const Baud baud : standard_rates()) {
        const double refined = refine(pulses, static_cast<double>(rate.hz) / baud.value);
        if (refined > 0 && std::abs(refined * baud.value / static_cast<double>(rate.hz) - 1) < same_rate)
            add_candidate(candidates, refined);
    }
    return candidates;
}

double price_of_rate(double bit_samples, SampleRate rate) {
    const double baud = static_cast<double>(rate.hz) / bit_samples;
    const double off = std::abs(baud / nearest_standard_rate(baud).value - 1);
    return off < 0.02 ? 0 : off < 0.035 ? odd_rate_price / 2 : odd_rate_price;
}

/// Rare formats must earn their place.
double price_of_format(const UartFormat& format) {
    const bool parity = format.parity != Parity::none;
    double price = 0;
    if (format.data_bits == 8 && parity) price += less_common_price;
    if (format.data_bits == 7) price += parity ? less_common_price : 2 * less_common_price;
    if (format.data_bits < 7 || format.data_bits > 8) price += rare_format_price;
    if (format.parity == Parity::mark || format.parity == Parity::space) price += rare_format_price;
    if (format.polarity == Polarity::inverted) price += less_common_price;
    return price;
}

class Teller {
public:
    Teller(const Trace& line, std::size_t glitches, double bit_samples)
        : line_(line), bit_samples_(bit_samples), glitches_(static_cast<double>(glitches)) {
        bit_time_ = picoseconds{std::llround(bit_samples * 1e12 / static_cast<double>(line.rate.hz))};
    }

    /// The best reading whose frames hold `payload` bits between start and stop.
    [[nodiscard]] Reading best_of(unsigned payload, Polarity polarity) {
        UartFormat format;
        format.data_bits = std::min(payload, 9U);
        format.polarity = polarity;
        if (payload == 10) format.parity = Parity::even;
        const Decoded decoded = decode(line_, bit_time_, format);
        const double shape = price_of_shape(decoded, format);
        Reading best;
        for (const UartFormat& rival : rivals(payload, polarity)) {
            const double price = shape + price_of_format(rival) + price_of_values(decoded, payload, rival);
            if (price < best.price) best = {bit_samples_, rival, price, 0, 0, 0};
        }
        best.format.stop_half_bits = stop_half_bits(decoded, format);
        count_frames(best, decoded);
        return best;
    }

    [[nodiscard]] Reading as_told(const UartFormat& format) {
        const Decoded decoded = decode(line_, bit_time_, format);
        const unsigned payload = stop_bit_index(format) - 1;
        UartFormat plain = format;
        plain.bit_order = BitOrder::lsb_first;
        const double price = price_of_shape(decoded, format) + price_of_values(decoded, payload, plain);
        Reading reading{bit_samples_, format, price, 0, 0, 0};
        count_frames(reading, decoded);
        return reading;
    }

private:
    static void count_frames(Reading& reading, const Decoded& decoded) {
        reading.frames = decoded.frames.size();
        reading.bad_frames = static_cast<std::size_t>(std::ranges::count_if(
            decoded.frames, [](const Frame& frame) { return frame.errors.framing || frame.errors.line_break; }));
        std::set<std::uint16_t> values;
        for (const Frame& frame : decoded.frames)
            if (!frame.errors.any()) values.insert(frame.value);
        reading.distinct_values = values.size();
    }

    static std::vector<UartFormat> rivals(unsigned payload, Polarity polarity) {
        std::vector<UartFormat> formats;
        constexpr std::array parities{Parity::none, Parity::even, Parity::odd, Parity::space};
        for (const Parity parity : parities) {
            const unsigned data = payload - (parity == Parity::none ? 0 : 1);
            if (data < 5 || data > 9) continue;
            // Under nine bits, one that is always space is the top bit of plain text: the characters are the same.
            if (parity == Parity::space && payload < 9) continue;
            UartFormat format;
            format.data_bits = data;
            format.parity = parity;
            format.polarity = polarity;
            formats.push_back(format);
        }
        return formats;
    }

    /// The symbols between start and stop, whatever the format that they were read with.
    static unsigned symbols(const Frame& frame, const UartFormat& read_with) {
        unsigned value = frame.value;
        if (read_with.parity != Parity::none && parity_bit_of(read_with, frame.value) != frame.errors.parity)
            value |= 1U << read_with.data_bits;
        return value;
    }

    double price_of_values(const Decoded& decoded, unsigned payload, const UartFormat& format) const {
        ValueCode code(format.data_bits);
        const unsigned mask = (1U << format.data_bits) - 1;
        double price = 0;
        std::size_t always_mark = 0, frames = 0;
        for (const Frame& frame : decoded.frames) {
            if (frame.errors.line_break) continue;
            const unsigned value = symbols(frame, decoded.format);
            price += code.price(value & mask);
            ++frames;
            if ((value >> (payload - 1) & 1U) != 0) ++always_mark;
            if (format.parity == Parity::none) continue;
            const bool bit = (value >> format.data_bits & 1U) != 0;
            if (bit != parity_bit_of(format, static_cast<std::uint16_t>(value & mask))) price += parity_error_price;
        }
        // A last bit that is mark in every frame is a stop bit.
        if (always_mark == frames && payload != 8) price += rare_format_price;
        return price;
    }

    [[nodiscard]] double gap_bits(const Frame& frame, const Frame& next, const UartFormat& format) const {
        return static_cast<double>(next.first.value - frame.first.value) / bit_samples_ - stop_bit_index(format);
    }

    double price_of_shape(const Decoded& decoded, const UartFormat& format) const {
        double price = story_price + price_of_rate(bit_samples_, line_.rate) + glitch_price * glitches_;
        double last_gap = -1;
        for (std::size_t i = 0; i < decoded.frames.size(); ++i) {
            const Frame& frame = decoded.frames[i];
            if (frame.errors.line_break)
                price += break_price + bits_of(static_cast<double>(frame.last.value - frame.first.value));
            else if (frame.errors.framing)
                price += framing_price;
            if (i + 1 == decoded.frames.size()) continue;
            const double gap =
                frame.errors.line_break
                    ? static_cast<double>(decoded.frames[i + 1].first.value - frame.last.value) / bit_samples_
                    : gap_bits(frame, decoded.frames[i + 1], format);
            if (std::abs(gap - last_gap) > 0.3)
                price += new_gap_price + 0.5 * bits_of(gap * bit_samples_);
            else
                price += 0.3;
            last_gap = gap;
        }
        return price + price_of_edges(decoded, format);
    }

    /// How far pulses are from whole bits; edges in no frame are told one by one.
    double price_of_edges(const Decoded& decoded, const UartFormat& format) const {
        const double stop_middle = stop_bit_index(format) + 0.5;
        Scatter scatter;
        double price = 0;
        std::size_t edge = 0;
        const auto& edges = line_.edges;
        for (const Frame& frame : decoded.frames) {
            for (; edge < edges.size() && edges[edge].at < frame.first; ++edge) price += stray(edge, decoded);
            price += price_of_pulse_before(edge, scatter);
            for (++edge; edge < edges.size() && edges[edge].at <= frame.last; ++edge) {
                const auto from_start = static_cast<double>(edges[edge].at.value - frame.first.value);
                if (from_start >= stop_middle * bit_samples_) break;
                price += price_of_pulse_before(edge, scatter);
            }
            if (frame.errors.line_break)
                while (edge < edges.size() && edges[edge].at <= frame.last) ++edge;
        }
        for (; edge < edges.size(); ++edge) price += stray(edge, decoded);
        return price + scatter.price();
    }

    /// All readings of a bit time count the same pulses, so that the luck of a few does not choose between them. A
    /// pulse far from whole bits is told by itself.
    double price_of_pulse_before(std::size_t edge, Scatter& scatter) const {
        constexpr double longest_bits = 12;
        if (edge == 0 || edge >= line_.edges.size()) return 0;
        const std::uint64_t width = line_.edges[edge].at.value - line_.edges[edge - 1].at.value;
        const double bits = static_cast<double>(width) / bit_samples_;
        if (bits >= longest_bits) return 0;
        const double off = bits - std::round(bits);
        if (std::abs(off) > 0.25) return bits_of(bit_samples_) + 4;
        scatter.add(off * bit_samples_, line_.edges[edge].level);
        return 0;
    }

    /// An edge outside of all frames: at the beginning it is of a frame cut off; else its fall is noise, and its rise
    /// little news after that.
    [[nodiscard]] double stray(std::size_t edge, const Decoded& decoded) const {
        if (decoded.skipped_until > line_.edges[edge].at.value) return 1 + bits_of(bit_samples_);
        return line_.edges[edge].level == (decoded.format.polarity == Polarity::normal ? Level::high : Level::low)
                   ? 1
                   : bits_of(bit_samples_) + 4;
    }

    unsigned stop_half_bits(const Decoded& decoded, const UartFormat& format) const {
        double shortest = std::numeric_limits<double>::infinity();
        std::vector<double> gaps;
        for (std::size_t i = 0; i + 1 < decoded.frames.size(); ++i) {
            if (decoded.frames[i].errors.any()) continue;
            const double gap = gap_bits(decoded.frames[i], decoded.frames[i + 1], format);
            gaps.push_back(gap);
            shortest = std::min(shortest, gap);
        }
        const auto tight = std::ranges::count_if(gaps, [&](double gap) { return gap < shortest + 0.25; });
        if (gaps.size() < 4 || 4 * static_cast<std::size_t>(tight) < gaps.size()) return 2;
        if (shortest > 1.75 && shortest < 2.3) return 4;
        return shortest > 1.35 && shortest <= 1.75 ? 3 : 2;
    }

    const Trace& line_;
    double bit_samples_;
    picoseconds bit_time_{0};
    double glitches_;
};

/// What it costs to list the pulses as they are: the story of a line that is no UART's.
double price_of_pulses(const Trace& line) {
    std::map<std::uint64_t, double> seen;
    double price = 0, total = 1;
    for (std::size_t i = 1; i < line.edges.size(); ++i) {
        const std::uint64_t width = line.edges[i].at.value - line.edges[i - 1].at.value;
        double& count = seen[width];
        price += count > 0 ? std::log2(total / count) : std::log2(total) + 2 * bits_of(static_cast<double>(width)) + 1;
        count += 1;
        total += 1;
    }
    return price;
}

bool same_reading(const Reading& a, const Reading& b) {
    UartFormat format = b.format;
    format.stop_half_bits = a.format.stop_half_bits;
    return std::abs(a.bit_samples / b.bit_samples - 1) < same_rate && a.format == format;
}

/// All readings of a line at one bit time.
void read_all(const Trace& trace, double bit, const std::optional<UartFormat>& known, std::vector<Reading>& readings) {
    const picoseconds bit_time{std::llround(bit * 1e12 / static_cast<double>(trace.rate.hz))};
    CleanLine clean = remove_glitches(trace, bit_time);
    // Where pulses are mostly too short, this is not the bit time.
    if (4 * clean.glitches.size() > trace.edges.size() || clean.edges.empty()) return;
    const std::size_t glitches = clean.glitches.size();
    const Trace line{trace.rate, trace.samples, trace.initial, std::move(clean.edges)};
    Teller teller(line, glitches, bit);
    if (known) {
        readings.push_back(teller.as_told(*known));
        return;
    }
    for (const Polarity polarity : {Polarity::normal, Polarity::inverted})
        for (unsigned payload = 5; payload <= 10; ++payload) readings.push_back(teller.best_of(payload, polarity));
}

/// Glitches hide the bit time: the candidates come from the line as it is, and without its shortest pulses.
std::vector<double> all_candidates(const Trace& part) {
    std::vector<double> candidates = candidate_bits(pulses_of(part.edges), part.rate);
    std::vector<std::uint64_t> widths;
    for (std::size_t i = 1; i < part.edges.size(); ++i)
        widths.push_back(part.edges[i].at.value - part.edges[i - 1].at.value);
    if (widths.empty()) return candidates;
    const double shortest = static_cast<double>(*std::ranges::min_element(widths));
    for (const double limit : {2.0, 4.0}) {
        // remove_glitches takes pulses under 3/8 of a bit.
        const double bit = limit * shortest * 8 / 3;
        const picoseconds bit_time{std::llround(bit * 1e12 / static_cast<double>(part.rate.hz))};
        for (const double candidate : candidate_bits(pulses_of(remove_glitches(part, bit_time).edges), part.rate))
            add_candidate(candidates, candidate);
    }
    return candidates;
}

/// The first of the readings, sorted by price, and how much better it is than another one.
Detection found(const std::vector<Reading>& readings, const Trace& part) {
    const Reading& best = readings.front();
    Detection detection;
    const picoseconds rough{std::llround(best.bit_samples * 1e12 / static_cast<double>(part.rate.hz))};
    const FittedDecode fitted = decode_fitted(part, rough, best.format);
    detection.bit_time = fitted.fit ? picoseconds{std::llround(fitted.fit->bit_ps)} : rough;
    detection.format = best.format;
    const auto rival = std::ranges::find_if(readings, [&](const Reading& other) { return !same_reading(best, other); });
    detection.advantage_bits =
        rival == readings.end() ? std::numeric_limits<double>::infinity() : rival->price - best.price;
    // One or two characters again and again say no more than once.
    if (best.distinct_values < 3) detection.advantage_bits = std::min(detection.advantage_bits, most_of_few_values);
    return detection;
}

Detection refused(std::string why) {
    Detection detection;
    detection.refusal = std::move(why);
    return detection;
}

}  // namespace

std::string_view sureness(const Detection& detection) {
    if (detection.advantage_bits >= certain_bits) return "certain";
    return detection.advantage_bits >= likely_bits ? "likely" : "a guess";
}

Detection detect(const Trace& trace, std::optional<UartFormat> known) {
    if (trace.rate.hz == 0) return refused("the capture has no sample rate");
    if (trace.edges.empty()) return refused("the line never changes its level");
    if (trace.edges.size() < 2) return refused("the line changes its level only once");
    const Trace part = beginning_of(trace);
    std::vector<Reading> readings;
    for (const double bit : all_candidates(part)) read_all(part, bit, known, readings);
    std::erase_if(readings, [&](const Reading& reading) {
        return reading.frames == 0 || (!known && 2 * reading.bad_frames > reading.frames);
    });
    if (readings.empty()) return refused("at no bit time would most of its frames have a stop bit");
    std::ranges::sort(readings, {}, &Reading::price);
    const Reading& best = readings.front();
    if (best.bit_samples < least_samples_per_bit)
        return refused(fmt::format("a bit seems to be {:.1f} samples long; three and more are needed to be sure",
                                   best.bit_samples));
    if (known) return found(readings, part);
    // A counter's every character is news, its pulses are not: only a line whose stop bits fail too is no UART's.
    if (10 * best.bad_frames > best.frames && price_of_pulses(part) < best.price)
        return refused("its pulses are no UART's: to list them is shorter than any reading");
    return found(readings, part);
}

}  // namespace rig::wire
