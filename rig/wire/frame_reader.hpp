// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/wire/edges.hpp"
#include "rig/wire/uart.hpp"
#include "rig/wire/uart_format.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace rig::wire {

/// Reads single frames off a clean line. It knows nothing of what came before; the caller says at which edge a frame
/// begins. Refers to the edges it was made with.
class FrameReader {
public:
    enum class Outcome : std::uint8_t {
        frame,     ///< a frame was read, with or without errors
        no_start,  ///< the line left space before the middle of the start bit was over: noise
        cut_off,   ///< the capture ends before the middle of the first stop bit
    };

    /// One reading.
    struct Reading {
        Outcome outcome = Outcome::no_start;
        Frame frame;                ///< valid for Outcome::frame
        std::size_t next_edge = 0;  ///< the first edge that may begin another frame
    };

    FrameReader(std::span<const Edge> edges, const Trace& trace, picoseconds bit_time, const UartFormat& format);

    /// Reads the frame whose start bit begins at edge number `edge` of the line.
    [[nodiscard]] Reading read(std::size_t edge) const;

    /// The first edge from `edge` on that leads from mark to space; edges().size() when there is none.
    [[nodiscard]] std::size_t next_fall(std::size_t edge) const;

    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
    [[nodiscard]] const UartFormat& format() const { return format_; }
    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    [[nodiscard]] Level mark() const { return mark_; }

    /// A distance in samples as bits: for judging, not for decoding.
    [[nodiscard]] double bits(std::uint64_t distance) const;

private:
    // Positions are exact integers in units of 1/(4·10^12) sample: a sample is 4·10^12 units, a bit is
    // 4 · bit time in ps · samples per second. No length of capture or frame rounds anything.
    __extension__ using units = __int128;
    static constexpr units sample_units = static_cast<units>(4) * 1'000'000'000'000LL;

    class Cursor;

    struct Symbols {
        std::uint32_t marks = 0;    ///< bit n: symbol n is mark; symbol 0 the start bit
        std::size_t next_edge = 0;  ///< the first edge from the middle of the stop bit on
    };

    [[nodiscard]] std::optional<Symbols> symbols_on_grid(std::size_t edge) const;
    [[nodiscard]] Symbols symbols_by_vote(std::size_t edge) const;
    [[nodiscard]] units quarters(unsigned count) const { return count * quarter_bit_; }
    [[nodiscard]] std::uint64_t samples_covering(units position) const;
    [[nodiscard]] std::uint16_t collect_value(std::uint16_t bits_in_order) const;
    [[nodiscard]] Reading break_from(std::size_t edge) const;
    [[nodiscard]] Reading frame_from(std::size_t edge, const Symbols& symbols) const;

    std::span<const Edge> edges_;
    SampleTimes times_;
    std::uint64_t samples_;
    UartFormat format_;
    units quarter_bit_;
    Level mark_;
    double bits_per_sample_;
    double stop_middle_bits_;      // the middle of the first stop bit, from the start edge
    std::uint64_t stop_middle_;    // in samples, rounded up
    std::uint64_t frame_samples_;  // of a whole frame, rounded up
    picoseconds frame_time_;
};

}  // namespace rig::wire
