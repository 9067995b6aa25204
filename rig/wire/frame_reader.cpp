// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/frame_reader.hpp"

#include <algorithm>
#include <cmath>

namespace rig::wire {

/// Walks forward through the edges of one frame and tells how long the line is at mark between two positions.
class FrameReader::Cursor {
public:
    Cursor(std::span<const Edge> edges, std::size_t start_edge, Level mark)
        : edges_(edges),
          origin_(edges[start_edge].at.value),
          next_(start_edge + 1),
          mark_(mark),
          level_(opposite(mark)) {}

    /// Whether mark holds for more than half of [from, to); a tie goes to the later level, which at two samples a bit
    /// is the one in the middle. Calls must not go back in time.
    [[nodiscard]] bool majority_is_mark(units from, units to) {
        advance_to(from);
        units at_mark = 0;
        units at = from;
        while (next_ < edges_.size() && position(next_) < to) {
            if (level_ == mark_) at_mark += position(next_) - at;
            at = position(next_);
            step();
        }
        if (level_ == mark_) at_mark += to - at;
        return 2 * at_mark == to - from ? level_ == mark_ : 2 * at_mark > to - from;
    }

private:
    [[nodiscard]] units position(std::size_t edge) const {
        return static_cast<units>(edges_[edge].at.value - origin_) * sample_units;
    }

    void step() {
        level_ = edges_[next_].level;
        ++next_;
    }

    void advance_to(units from) {
        while (next_ < edges_.size() && position(next_) <= from) step();
    }

    std::span<const Edge> edges_;
    std::uint64_t origin_;
    std::size_t next_;
    Level mark_;
    Level level_;
};

FrameReader::FrameReader(std::span<const Edge> edges, const Trace& trace, picoseconds bit_time,
                         const UartFormat& format)
    : edges_(edges),
      times_(trace.rate),
      samples_(trace.samples),
      format_(format),
      quarter_bit_(static_cast<units>(bit_time.count()) * static_cast<units>(trace.rate.hz)),
      mark_(format.polarity == Polarity::normal ? Level::high : Level::low),
      bits_per_sample_(1e12 / (static_cast<double>(bit_time.count()) * static_cast<double>(trace.rate.hz))),
      stop_middle_bits_(stop_bit_index(format) + 0.5),
      stop_middle_(samples_covering(quarters(4 * stop_bit_index(format) + 2))),
      frame_samples_(samples_covering(quarters(2 * frame_half_bits(format)))),
      frame_time_(bit_time * frame_half_bits(format) / 2) {}

double FrameReader::bits(std::uint64_t distance) const {
    return static_cast<double>(distance) * bits_per_sample_;
}

std::size_t FrameReader::next_fall(std::size_t edge) const {
    if (edge < edges_.size() && edges_[edge].level == mark_) ++edge;
    return std::min(edge, edges_.size());
}

std::uint64_t FrameReader::samples_covering(units position) const {
    return static_cast<std::uint64_t>((position + sample_units - 1) / sample_units);
}

std::uint16_t FrameReader::collect_value(std::uint16_t bits_in_order) const {
    if (format_.bit_order == BitOrder::lsb_first) return bits_in_order;
    unsigned value = 0;
    for (unsigned bit = 0; bit < format_.data_bits; ++bit)
        value = value << 1U | (static_cast<unsigned>(bits_in_order) >> bit & 1U);
    return static_cast<std::uint16_t>(value);
}

/// The symbols of a frame whose edges all lie within a quarter of a bit of a bit boundary: then no vote over the middle
/// half of a bit can be divided. Nothing when an edge lies elsewhere.
std::optional<FrameReader::Symbols> FrameReader::symbols_on_grid(std::size_t edge) const {
    // A little under a quarter, so that rounding cannot let an edge pass that the exact vote would hear.
    constexpr double tolerance = 0.2499;
    const std::uint64_t origin = edges_[edge].at.value;
    Symbols symbols;
    std::size_t next = edge + 1;
    for (; next < edges_.size(); ++next) {
        const double position = static_cast<double>(edges_[next].at.value - origin) * bits_per_sample_;
        if (position >= stop_middle_bits_) break;
        const auto boundary = static_cast<std::uint32_t>(position + 0.5);
        if (std::abs(position - boundary) > tolerance) return std::nullopt;
        symbols.marks ^= ~std::uint32_t{0} << boundary;
    }
    symbols.next_edge = next;
    return symbols;
}

FrameReader::Symbols FrameReader::symbols_by_vote(std::size_t edge) const {
    Cursor cursor(edges_, edge, mark_);
    const unsigned stop = stop_bit_index(format_);
    Symbols symbols;
    for (unsigned bit = 0; bit <= stop; ++bit)
        if (cursor.majority_is_mark(quarters(4 * bit + 1), quarters(4 * bit + 3))) symbols.marks |= 1U << bit;
    const std::uint64_t middle = edges_[edge].at.value + stop_middle_;
    symbols.next_edge = edge + 1;
    while (symbols.next_edge < edges_.size() && edges_[symbols.next_edge].at.value < middle) ++symbols.next_edge;
    return symbols;
}

FrameReader::Reading FrameReader::read(std::size_t edge) const {
    const std::uint64_t left = samples_ - edges_[edge].at.value;
    Reading reading;
    reading.next_edge = next_fall(edge + 1);
    if (left < stop_middle_) {
        reading.outcome = Outcome::cut_off;
        return reading;
    }
    auto symbols = symbols_on_grid(edge);
    if (!symbols) symbols = symbols_by_vote(edge);
    if ((symbols->marks & 1U) != 0) return reading;
    const std::uint32_t whole = (2U << stop_bit_index(format_)) - 1;
    if ((symbols->marks & whole) == 0) return break_from(edge);
    return frame_from(edge, *symbols);
}

FrameReader::Reading FrameReader::break_from(std::size_t edge) const {
    // The line counts as back only when it stays at mark: by the middle of the stop bit it was still at space.
    const std::uint64_t origin = edges_[edge].at.value;
    const std::uint64_t middle = origin + stop_middle_;
    std::size_t rise = edge + 1;
    while (rise < edges_.size() && (edges_[rise].level != mark_ || edges_[rise].at.value < middle)) ++rise;
    const std::uint64_t end = rise < edges_.size() ? edges_[rise].at.value : samples_;

    Reading reading;
    reading.outcome = Outcome::frame;
    reading.frame.first = SampleIndex{origin};
    reading.frame.last = SampleIndex{end - 1};
    reading.frame.start = times_.of(SampleIndex{origin});
    reading.frame.end = times_.of(SampleIndex{end});
    reading.frame.errors.line_break = true;
    reading.next_edge = next_fall(rise);
    return reading;
}

FrameReader::Reading FrameReader::frame_from(std::size_t edge, const Symbols& symbols) const {
    const std::uint64_t origin = edges_[edge].at.value;
    const unsigned stop = stop_bit_index(format_);
    const std::uint32_t data = symbols.marks >> 1U & ((1U << format_.data_bits) - 1);
    const bool parity_mark = format_.parity != Parity::none && (symbols.marks >> (1 + format_.data_bits) & 1U) != 0;
    Reading reading;
    reading.outcome = Outcome::frame;
    reading.frame.value = collect_value(static_cast<std::uint16_t>(data));
    reading.frame.errors.framing = (symbols.marks >> stop & 1U) == 0;
    reading.frame.errors.parity = parity_mark != parity_bit_of(format_, reading.frame.value);
    reading.frame.first = SampleIndex{origin};
    reading.frame.last = SampleIndex{std::min(origin + frame_samples_, samples_) - 1};
    reading.frame.start = times_.of(SampleIndex{origin});
    reading.frame.end = reading.frame.start + frame_time_;
    reading.next_edge = next_fall(symbols.next_edge);
    return reading;
}

}  // namespace rig::wire
