// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/burst.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

namespace rig::wire {

std::vector<FrameRange> find_bursts(std::span<const Frame> frames, picoseconds longest_gap) {
    std::vector<FrameRange> bursts;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (i == 0 || frames[i].start - frames[i - 1].end > longest_gap) bursts.push_back({i, 0});
        ++bursts.back().count;
    }
    return bursts;
}

std::optional<FrameRange> find_bytes(std::span<const Frame> frames, std::string_view text, std::size_t from) {
    if (from >= frames.size() || text.empty()) return std::nullopt;
    const auto rest = frames.subspan(from);
    const auto same = [](const Frame& frame, char byte) {
        return !frame.errors.line_break && frame.value == static_cast<unsigned char>(byte);
    };
    const auto found = std::ranges::search(rest, text, same);
    if (found.empty()) return std::nullopt;
    return FrameRange{from + static_cast<std::size_t>(found.begin() - rest.begin()), text.size()};
}

std::string bytes_of(std::span<const Frame> frames) {
    std::string bytes;
    bytes.reserve(frames.size());
    for (const Frame& frame : frames)
        if (!frame.errors.line_break) bytes.push_back(static_cast<char>(frame.value & 0xffU));
    return bytes;
}

WireDuration wire_duration(std::span<const Frame> frames, const UartFormat& format, const BitTimeFit& fit) {
    if (frames.empty()) throw RigError("the wire duration of no frames was asked for");
    const double bits = frame_bits(format);
    const double edge = std::max(fit.sample_period_ps / std::sqrt(12.0), fit.residual_rms_ps);
    WireDuration duration;
    duration.value = frames.back().start - frames.front().start + picoseconds{std::llround(bits * fit.bit_ps)};
    // With one frame there is one edge: its length is the fit's alone.
    const double edges_u2 = frames.size() > 1 ? 2 * edge * edge : 0;
    duration.u_ps = std::sqrt(edges_u2 + bits * fit.u_ps * bits * fit.u_ps);
    return duration;
}

}  // namespace rig::wire
