// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/frame_reader.hpp"

#include <algorithm>

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
      rate_(trace.rate),
      samples_(trace.samples),
      bit_time_(bit_time),
      format_(format),
      quarter_bit_(static_cast<units>(bit_time.count()) * static_cast<units>(trace.rate.hz)),
      mark_(format.polarity == Polarity::normal ? Level::high : Level::low) {}

double FrameReader::bits(std::uint64_t distance) const {
    return static_cast<double>(distance) * 1e12 /
           (static_cast<double>(bit_time_.count()) * static_cast<double>(rate_.hz));
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

FrameReader::Reading FrameReader::read(std::size_t edge) const {
    const unsigned stop = stop_bit_index(format_);
    const std::uint64_t left = samples_ - edges_[edge].at.value;
    Cursor cursor(edges_, edge, mark_);
    const auto bit_is_mark = [&](unsigned index) {
        return cursor.majority_is_mark(quarters(4 * index + 1), quarters(4 * index + 3));
    };

    Reading reading;
    reading.next_edge = next_fall(edge + 1);
    if (static_cast<units>(left) * sample_units < quarters(4 * stop + 2)) {
        reading.outcome = Outcome::cut_off;
        return reading;
    }
    if (bit_is_mark(0)) return reading;

    unsigned data = 0;
    for (unsigned bit = 0; bit < format_.data_bits; ++bit) data |= static_cast<unsigned>(bit_is_mark(1 + bit)) << bit;
    const bool parity_mark = format_.parity != Parity::none && bit_is_mark(1 + format_.data_bits);
    const bool stop_mark = bit_is_mark(stop);
    if (data == 0 && !parity_mark && !stop_mark) return break_from(edge);

    const std::uint16_t value = collect_value(static_cast<std::uint16_t>(data));
    FrameErrors errors;
    errors.framing = !stop_mark;
    errors.parity = parity_mark != parity_bit_of(format_, value);
    return frame_from(edge, value, errors);
}

FrameReader::Reading FrameReader::break_from(std::size_t edge) const {
    // The line counts as back only when it stays at mark: by the middle of the stop bit it was still at space.
    const std::uint64_t origin = edges_[edge].at.value;
    const std::uint64_t middle = origin + samples_covering(quarters(4 * stop_bit_index(format_) + 2));
    std::size_t rise = edge + 1;
    while (rise < edges_.size() && (edges_[rise].level != mark_ || edges_[rise].at.value < middle)) ++rise;
    const std::uint64_t end = rise < edges_.size() ? edges_[rise].at.value : samples_;

    Reading reading;
    reading.outcome = Outcome::frame;
    reading.frame.first = SampleIndex{origin};
    reading.frame.last = SampleIndex{end - 1};
    reading.frame.start = time_of(SampleIndex{origin}, rate_);
    reading.frame.end = time_of(SampleIndex{end}, rate_);
    reading.frame.errors.line_break = true;
    reading.next_edge = next_fall(rise);
    return reading;
}

FrameReader::Reading FrameReader::frame_from(std::size_t edge, std::uint16_t value, FrameErrors errors) const {
    const std::uint64_t origin = edges_[edge].at.value;
    const std::uint64_t middle = origin + samples_covering(quarters(4 * stop_bit_index(format_) + 2));
    std::size_t next = edge + 1;
    while (next < edges_.size() && edges_[next].at.value < middle) ++next;

    const unsigned half_bits = frame_half_bits(format_);
    Reading reading;
    reading.outcome = Outcome::frame;
    reading.frame.value = value;
    reading.frame.errors = errors;
    reading.frame.first = SampleIndex{origin};
    reading.frame.last = SampleIndex{std::min(origin + samples_covering(quarters(2 * half_bits)), samples_) - 1};
    reading.frame.start = time_of(SampleIndex{origin}, rate_);
    reading.frame.end = reading.frame.start + bit_time_ * half_bits / 2;
    reading.next_edge = next_fall(next);
    return reading;
}

}  // namespace rig::wire
