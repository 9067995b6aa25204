// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/health/line_health.hpp"

#include "rig/wire/bit_time.hpp"
#include "rig/wire/burst.hpp"
#include "rig/wire/uart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace rig::health {
namespace {

using wire::Level;
using wire::Trace;

constexpr std::array usual_rates{1200U,   2400U,   4800U,   9600U,   19200U,     38400U,    57600U,
                                 115200U, 230400U, 460800U, 921600U, 1'000'000U, 1'500'000U};
constexpr std::size_t enough_frames = 10;
/// Noise and the beginning of a capture spoil single frames; a wrong rate spoils most.
constexpr double readable_error_share = 0.02;

std::string channel(const std::string& role) {
    return "channel " + role;
}

std::string_view name_of(Level level) {
    return level == Level::high ? "high" : "low";
}

/// The share of the capture in which the line was high.
double share_high(const Trace& trace) {
    std::uint64_t high = 0;
    std::uint64_t since = 0;
    Level level = trace.initial;
    for (const auto& edge : trace.edges) {
        if (level == Level::high) high += edge.at.value - since;
        since = edge.at.value;
        level = edge.level;
    }
    if (level == Level::high) high += trace.samples - since;
    return trace.samples == 0 ? 0 : static_cast<double>(high) / static_cast<double>(trace.samples);
}

Finding judge_uart_rest(const std::string& role, const Trace& trace) {
    if (!trace.edges.empty())
        return {Mark::doubtful, channel(role), fmt::format("moves at rest: {} edges", trace.edges.size()),
                "is the board speaking already, or the probe hanging in the air?"};
    if (trace.initial == Level::high) return {Mark::good, channel(role), "rests high", ""};
    return {Mark::bad, channel(role), "rests low",
            "the probe is not connected, the board is off, or the levels are inverted (RS-232 needs a converter)"};
}

Finding judge_marker_rest(const Trace& trace) {
    if (trace.edges.empty() && trace.initial == Level::high)
        return {Mark::doubtful, channel("marker"), "rests high",
                "is its probe on the pin that the device tree names, and the pin an output?"};
    return {Mark::good, channel("marker"), trace.edges.empty() ? "rests low" : "moves", ""};
}

Finding judge_heartbeat(const Trace& trace) {
    if (trace.edges.size() >= 2) return {Mark::good, channel("heartbeat"), "beats", ""};
    return {Mark::bad, channel("heartbeat"), fmt::format("rests {}", name_of(trace.initial)),
            "connect the analyzer's own square wave, or take heartbeat out of the channels"};
}

std::size_t count_errors(const wire::Decoded& decoded) {
    return static_cast<std::size_t>(
        std::ranges::count_if(decoded.frames, [](const wire::Frame& frame) { return frame.errors.any(); }));
}

double error_share(const wire::Decoded& decoded) {
    return static_cast<double>(count_errors(decoded)) /
           static_cast<double>(std::max<std::size_t>(decoded.frames.size(), 1));
}

bool is_readable_at(const Trace& tx, Baud baud) {
    if (tx.rate.hz < 4ULL * baud.value) return false;
    const auto decoded = wire::decode(tx, baud, {});
    return decoded.frames.size() >= enough_frames && error_share(decoded) <= readable_error_share;
}

/// A slow line read at a fast rate gives few errors and odd bytes; text does not.
bool is_text_at(const Trace& tx, Baud baud) {
    const auto bytes = wire::bytes_of(wire::decode(tx, baud, {}).frames);
    const auto printable = std::ranges::count_if(bytes, [](unsigned char c) {
        return (c >= 0x20 && c < 0x7f) || c == '\r' || c == '\n' || c == '\t' || c == 0x1b;
    });
    return static_cast<double>(printable) >= 0.9 * static_cast<double>(bytes.size());
}

Finding judge_baud(const Trace& tx, Baud set) {
    if (is_readable_at(tx, set) && is_text_at(tx, set)) {
        const auto decoded = wire::decode(tx, set, {});
        const auto fit = wire::fit_bit_time(tx, decoded.frames, decoded.format);
        if (!fit) return {Mark::doubtful, "baud", "no frame is clean enough to measure its bit time", ""};
        const double off = fit->baud / set.value - 1;
        return {
            std::abs(off) > 0.02 ? Mark::doubtful : Mark::good, "baud",
            fmt::format("the wire runs at {:.1f} ± {:.1f} baud, {} is set ({:+.2f} %)", fit->baud, 2 * fit->u_baud,
                        set.value, off * 100),
            std::abs(off) > 0.02 ? "frames are read, but with little to spare: look at the board's UART clock" : ""};
    }
    if (const auto found = find_baud(tx))
        return {Mark::bad, "baud", fmt::format("the wire runs at about {} baud, {} is set", found->value, set.value),
                fmt::format("set console.baud to {}, or the kernel's console= to {}", found->value, set.value)};
    return {Mark::bad, "baud",
            fmt::format("the wire does not read as characters at {} baud or another usual rate", set.value),
            "is the sample rate at least ten times the baud, and ground connected?"};
}

/// The longest part of the wire's bytes that the console has too.
Finding judge_bytes(const Trace& tx, std::string_view console, Baud set) {
    const auto bytes = wire::bytes_of(wire::decode(tx, set, {}).frames);
    if (console.empty())
        return {Mark::bad, "console", fmt::format("the wire carries {} bytes, the console got none", bytes.size()),
                "is the adapter's RX on the board's TX, and the right port chosen?"};
    if (console.find(bytes) != std::string_view::npos)
        return {Mark::good, "console", fmt::format("the {} bytes on the wire are the console's", bytes.size()), ""};
    return {Mark::bad, "console", fmt::format("the {} bytes on the wire are not those of the console", bytes.size()),
            "is the probe on this board's TX, and the console's rate right?"};
}

}  // namespace

std::vector<Finding> judge_rest(const Traces& traces) {
    std::vector<Finding> findings;
    for (const auto& [role, trace] : traces) {
        if (role == "heartbeat")
            findings.push_back(judge_heartbeat(trace));
        else if (role == "marker")
            findings.push_back(judge_marker_rest(trace));
        else
            findings.push_back(judge_uart_rest(role, trace));
    }
    return findings;
}

std::optional<Baud> find_baud(const Trace& tx) {
    // The fastest that reads as text: at a slower one than the true rate nothing does.
    for (auto rate = usual_rates.rbegin(); rate != usual_rates.rend(); ++rate) {
        if (is_readable_at(tx, Baud{*rate}) && is_text_at(tx, Baud{*rate})) return Baud{*rate};
    }
    return std::nullopt;
}

std::vector<Finding> judge_speech(const Traces& traces, std::string_view console, Baud set) {
    const auto tx = traces.find("tx");
    const auto rx = traces.find("rx");
    if (tx == traces.end()) return {};
    if (tx->second.edges.empty()) {
        if (rx != traces.end() && rx->second.edges.size() > 2 * enough_frames)
            return {{Mark::bad, "channel tx", "never moved while channel rx did",
                     "swap the two: tx is the pin on which the board speaks"}};
        if (console.empty())
            return {{Mark::bad, "board", "said nothing, neither on the wire nor to the console",
                     "is it powered, does it boot, and is its console on this UART?"}};
        return {{Mark::bad, "channel tx", fmt::format("never moved while the console got {} bytes", console.size()),
                 "is its probe on the board's TX?"}};
    }
    if (share_high(tx->second) < 0.4)
        return {{Mark::bad, "channel tx", "is low most of the time: it is inverted",
                 "put the probe at the UART's own pin, before any RS-232 converter"}};
    std::vector<Finding> findings{judge_baud(tx->second, set)};
    if (findings.front().mark != Mark::bad) findings.push_back(judge_bytes(tx->second, console, set));
    return findings;
}

}  // namespace rig::health
