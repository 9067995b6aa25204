// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/uart.hpp"

#include "rig/error.hpp"
#include "rig/wire/first_start.hpp"
#include "rig/wire/frame_reader.hpp"

#include <span>
#include <utility>

#include <fmt/format.h>

namespace rig::wire {

namespace {

__extension__ using wide = unsigned __int128;

constexpr std::int64_t ps_per_second = 1'000'000'000'000;

/// Under this a mid-bit majority has nothing to vote on.
constexpr unsigned min_samples_per_bit = 2;

void require_decodable(SampleRate rate, picoseconds bit_time) {
    if (rate.hz == 0)
        throw PlanError("a capture without a sample rate cannot be decoded", "name the rate it was taken at");
    if (bit_time.count() <= 0) throw PlanError("a bit time of zero cannot be decoded", "name a baud rate above zero");
    const wide bit = static_cast<wide>(bit_time.count()) * rate.hz;
    if (bit < static_cast<wide>(min_samples_per_bit) * ps_per_second)
        throw PlanError(fmt::format("a bit of {} ps is under two samples at {} Hz: the capture cannot tell",
                                    bit_time.count(), rate.hz),
                        "take the capture at four samples per bit or more");
}

/// Counts the glitches that fall into the frames; both lists are in order of time.
void attribute_glitches(Decoded& decoded) {
    std::size_t next = 0;
    for (Frame& frame : decoded.frames) {
        while (next < decoded.glitches.size() && decoded.glitches[next].at < frame.first) ++next;
        while (next < decoded.glitches.size() && decoded.glitches[next].at <= frame.last) {
            ++frame.glitches;
            ++next;
        }
    }
}

/// How much of the capture's beginning belongs to no frame and is no plain idle time either.
std::uint64_t unused_beginning(std::span<const Edge> edges, std::size_t first_start, std::uint64_t samples) {
    if (first_start == 0) return 0;
    return first_start < edges.size() ? edges[first_start].at.value : samples;
}

}  // namespace

Decoded decode(const Trace& trace, picoseconds bit_time, const UartFormat& format) {
    require_decodable(trace.rate, bit_time);
    CleanLine line;
    if (!is_clean(trace, bit_time)) line = remove_glitches(trace, bit_time);
    const std::span<const Edge> edges = line.glitches.empty() ? std::span<const Edge>(trace.edges) : line.edges;
    const FrameReader reader(edges, trace, bit_time, format);
    Decoded decoded;
    decoded.rate = trace.rate;
    decoded.bit_time = bit_time;
    decoded.format = format;

    std::size_t edge = find_first_start(reader, trace.initial);
    decoded.skipped_until = unused_beginning(edges, edge, trace.samples);
    decoded.frames.reserve(edges.size() / 6);
    while (edge < edges.size()) {
        const FrameReader::Reading reading = reader.read(edge);
        if (reading.outcome == FrameReader::Outcome::cut_off) {
            decoded.cut_off = edges[edge].at;
            break;
        }
        if (reading.outcome == FrameReader::Outcome::frame) decoded.frames.push_back(reading.frame);
        edge = reading.next_edge;
    }
    decoded.glitches = std::move(line.glitches);
    attribute_glitches(decoded);
    return decoded;
}

Decoded decode(const Trace& trace, Baud baud, const UartFormat& format) {
    if (baud.value == 0) throw PlanError("0 baud cannot be decoded", "name a baud rate above zero");
    return decode(trace, bit_time_of(baud), format);
}

}  // namespace rig::wire
