// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/certificate.hpp"

#include "rig/console/byte_log.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

using evidence::CaptureRecord;
using evidence::TrialRecord;

/// A capture cannot take less time than its samples; what it takes longer is start-up and transport.
constexpr double elapsed_least = 0.98;
constexpr double elapsed_most = 1.10;
constexpr double elapsed_allowance_s = 1.0;

/// A delay, slip or hold, counts from this long before the record's first start bit to this long after its last stop
/// bit: the target takes interrupts away before the first byte and gives them back after the last. It covers the
/// bench's reading interval of 0.5 ms. What holds the guest while it waits for the stimulus, or afterwards, touches no
/// figure.
constexpr double delay_margin_s = 2e-3;

CertificateLine not_judged(std::string line, std::string_view why) {
    return {std::move(line), std::nullopt, fmt::format("not judged: {}", why)};
}

CertificateLine samples_line(const CaptureRecord& capture) {
    auto figure = fmt::format("{} of {}", capture.samples, capture.limit);
    if (!capture.error.empty()) figure += ": " + capture.error;
    return {"samples", capture.samples == capture.limit, std::move(figure)};
}

CertificateLine end_packet_line(const CaptureRecord& capture) {
    return {"end_packet", capture.end_packet, capture.end_packet ? "came" : "never came"};
}

CertificateLine elapsed_line(const CaptureRecord& capture) {
    if (capture.samples != capture.limit) return not_judged("elapsed", "the capture is short");
    if (!capture.end_packet) return not_judged("elapsed", "nobody said when the capture ended");
    const double took = static_cast<double>(capture.ended_ns - capture.started_ns) * 1e-9;
    const double sampled = static_cast<double>(capture.samples) / static_cast<double>(capture.rate.hz);
    const bool ok = took >= elapsed_least * sampled && took <= elapsed_most * sampled + elapsed_allowance_s;
    return {"elapsed", ok, fmt::format("{:.3f} s for {:.3f} s of samples", took, sampled)};
}

CertificateLine heartbeat_line(const wire::Trace& heartbeat) {
    if (heartbeat.edges.size() < 3) return {"heartbeat", false, fmt::format("{} edges", heartbeat.edges.size())};
    std::vector<double> periods;
    for (std::size_t i = 1; i < heartbeat.edges.size(); ++i)
        periods.push_back(static_cast<double>(heartbeat.edges[i].at.value - heartbeat.edges[i - 1].at.value));
    const double period = median_of(periods);
    for (std::size_t i = 0; i < periods.size(); ++i) {
        // An edge falls on one sample or the next: two of them move a period by less than two samples.
        if (std::abs(periods[i] - period) < 2) continue;
        return {"heartbeat", false,
                fmt::format("slips by {:.0f} samples before sample {}", periods[i] - period,
                            heartbeat.edges[i + 1].at.value)};
    }
    return {"heartbeat", true, fmt::format("{} edges, period {:.0f} samples", heartbeat.edges.size(), period)};
}

CertificateLine idle_line(const wire::Trace& tx, std::chrono::nanoseconds wanted) {
    const auto first = tx.edges.empty() ? SampleIndex{tx.samples} : tx.edges.front().at;
    const double idle = to_seconds(time_of(first, tx.rate).time_since_epoch());
    const bool ok = tx.initial == wire::Level::high && idle >= to_seconds(wanted);
    return {"idle_before", ok,
            tx.initial == wire::Level::high ? fmt::format("{:.2f} ms before the first edge", idle * 1e3)
                                            : "the line is low when the capture begins"};
}

CertificateLine framing_line(const wire::Decoded& decoded, unsigned allowed) {
    std::size_t errors = 0;
    std::optional<double> first;
    for (const auto& frame : decoded.frames) {
        if (!frame.errors.any()) continue;
        ++errors;
        if (!first) first = to_seconds(frame.start.time_since_epoch());
    }
    auto figure = fmt::format("{} errors in {} frames", errors, decoded.frames.size());
    if (first) figure += fmt::format(", the first at {:.6f} s", *first);
    return {"framing", errors <= allowed, std::move(figure)};
}

CertificateLine record_line(const WireEvidence& wire, const TrialRecord& record) {
    if (wire.record) return {"record", true, fmt::format("{} frames", wire.record->count)};
    if (wire.tx && wire.tx->edges.empty()) return {"record", false, "channel tx never moved: is its probe connected?"};
    return {"record", false,
            fmt::format("no record with nonce {} among {} frames", record.nonce, wire.decoded.frames.size())};
}

CertificateLine phase_line(const WireEvidence& wire) {
    if (!wire.record) return not_judged("bit_phase", "no record on the wire");
    if (!wire.phase) return {"bit_phase", false, "no bit time fits the record's edges"};
    if (wire.phase->whole())
        return {"bit_phase", true, fmt::format("worst edge {:.0f} ns off its grid", wire.phase->worst_edge_ps / 1e3)};
    const auto& jump = wire.phase->jumps.front();
    return {"bit_phase", false,
            fmt::format("{} jumps, the first by {:.2f} us at frame {} of the record", wire.phase->jumps.size(),
                        static_cast<double>(jump.jump.count()) / 1e6, jump.frame)};
}

CertificateLine console_line(const WireEvidence& wire, std::string_view console_record) {
    if (!wire.record) return not_judged("console_bytes", "no record on the wire");
    if (console_record.empty())
        return {"console_bytes", false,
                fmt::format("the console has no such record, the wire has its {} bytes", wire.record_bytes.size())};
    const auto [on_wire, on_console] =
        std::mismatch(wire.record_bytes.begin(), wire.record_bytes.end(), console_record.begin(), console_record.end());
    if (on_wire == wire.record_bytes.end() && on_console == console_record.end())
        return {"console_bytes", true, fmt::format("{} bytes equal", console_record.size())};
    const auto at = static_cast<std::size_t>(on_wire - wire.record_bytes.begin());
    return {"console_bytes", false,
            fmt::format("{} bytes on the wire, {} on the console, first difference at byte {}: '{}' and '{}'",
                        wire.record_bytes.size(), console_record.size(), at,
                        console::show_tail(std::string_view(wire.record_bytes).substr(at, 8)),
                        console::show_tail(console_record.substr(at, 8)))};
}

/// The record's frames; empty when there is no record.
std::span<const wire::Frame> record_frames(const WireEvidence& wire) {
    if (!wire.record) return {};
    return std::span(wire.decoded.frames).subspan(wire.record->first, wire.record->count);
}

/// What a limit allows; where there is no record its fixed part alone.
double allowed_delay_s(const Tolerance& limit, const WireEvidence& wire) {
    const auto frames = record_frames(wire);
    return limit.allowed_s(frames.empty() ? 0 : to_seconds(frames.back().end - frames.front().start), 0);
}

CertificateLine slip_line(const BenchObservation& seen, const WireEvidence& wire, const Tolerance& limit) {
    const double longest = longest_delay(seen.slips, wire);
    return {"pacer_slip", longest <= allowed_delay_s(limit, wire), fmt::format("{:.3f} ms at most", longest * 1e3)};
}

CertificateLine run_delay_line(const BenchObservation& seen, const WireEvidence& wire, const Tolerance& limit) {
    const double longest = longest_delay(seen.holds, wire);
    return {"run_delay", longest <= allowed_delay_s(limit, wire),
            longest > 0 ? fmt::format("held for {:.3f} ms", longest * 1e3) : "never held"};
}

void add_bench_lines(std::vector<CertificateLine>& lines, const evidence::Bundle& bundle, const TrialRecord& record,
                     const WireEvidence& wire, const plan::CertificateLimits& limits) {
    if (record.bench_file.empty()) return;
    const auto seen = read_observation(bundle, record);
    if (!seen) {
        lines.push_back({"pacer_slip", false, record.bench_file + " is not what a bench says"});
        return;
    }
    lines.push_back(slip_line(*seen, wire, limits.pacer_slip));
    lines.push_back(run_delay_line(*seen, wire, limits.run_delay));
    if (seen->page_faults)
        lines.push_back({"page_faults", seen->page_faults == 0,
                         fmt::format("the guest waited for {} pages from a disk", *seen->page_faults)});
    lines.push_back(
        {"late_events", seen->late_events == 0, fmt::format("{} events came behind their samples", seen->late_events)});
}

double seconds_at(const nlohmann::json& object, const char* nanoseconds_key) {
    return object.at(nanoseconds_key).get<double>() * 1e-9;
}

/// The bench lists the longest delays of a kind ("slip", "hold"): where it has seen more, what it left out is no longer
/// than the shortest listed.
BenchObservation::Delays read_delays(const nlohmann::json& said, const std::string& kind) {
    BenchObservation::Delays delays{.longest_s = seconds_at(said, (kind + "_max_ns").c_str()), .listed = {}};
    const auto& list = said.at(kind + "_at");
    const std::string length = kind + "_ns";
    double shortest = delays.longest_s;
    for (const auto& delay : list) {
        shortest = std::min(shortest, seconds_at(delay, length.c_str()));
        if (delay.at("since_capture_ns").is_null()) continue;
        const double gap = delay.contains("gap_ns") ? seconds_at(delay, "gap_ns") : 0;
        delays.listed.push_back({seconds_at(delay, "since_capture_ns"), gap, seconds_at(delay, length.c_str())});
    }
    if (said.at(kind + "s").get<std::uint64_t>() > list.size()) delays.unlisted_s = shortest;
    return delays;
}

}  // namespace

double longest_delay(const BenchObservation::Delays& delays, const WireEvidence& wire) {
    const auto frames = record_frames(wire);
    if (frames.empty()) return delays.longest_s;
    const double from = to_seconds(frames.front().start.time_since_epoch()) - delay_margin_s;
    const double to = to_seconds(frames.back().end.time_since_epoch()) + delay_margin_s;
    double longest = delays.unlisted_s;
    for (const auto& delay : delays.listed) {
        const double begin = delay.seen_s - delay.gap_s - delay.length_s;
        if (delay.seen_s >= from && begin <= to) longest = std::max(longest, delay.length_s);
    }
    return longest;
}

std::optional<BenchObservation> read_observation(const evidence::Bundle& bundle, const TrialRecord& record) {
    if (record.bench_file.empty()) return std::nullopt;
    const auto seen = nlohmann::json::parse(bundle.read(record.bench_file), nullptr, false);
    try {
        BenchObservation observation{.slips = read_delays(seen.at("pacer"), "slip"),
                                     .holds = read_delays(seen.at("guest"), "hold"),
                                     .page_faults = std::nullopt,
                                     .late_events = seen.at("marker").at("late_events").get<std::uint64_t>()};
        const auto& guest = seen.at("guest");
        if (guest.contains("major_faults")) observation.page_faults = guest.at("major_faults").get<std::uint64_t>();
        return observation;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::vector<CertificateLine> certify(const evidence::Bundle& bundle, const TrialRecord& record,
                                     const WireEvidence& wire, std::string_view console_record,
                                     const plan::CertificateLimits& limits) {
    std::vector<CertificateLine> lines;
    if (!record.capture) {
        lines.push_back({"samples", false, "there is no capture"});
        return lines;
    }
    lines.push_back(samples_line(*record.capture));
    lines.push_back(end_packet_line(*record.capture));
    lines.push_back(elapsed_line(*record.capture));
    if (!wire.unreadable.empty()) lines.push_back({"capture", false, wire.unreadable});
    if (wire.heartbeat) lines.push_back(heartbeat_line(*wire.heartbeat));
    if (wire.tx) {
        lines.push_back(idle_line(*wire.tx, limits.idle_before));
        lines.push_back(phase_line(wire));
        lines.push_back(framing_line(wire.decoded, limits.framing_errors));
        lines.push_back(record_line(wire, record));
        lines.push_back(console_line(wire, console_record));
    }
    add_bench_lines(lines, bundle, record, wire, limits);
    return lines;
}

}  // namespace rig::analysis
