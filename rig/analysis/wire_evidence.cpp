// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/wire_evidence.hpp"

#include "rig/console/kernel_log.hpp"
#include "rig/error.hpp"
#include "rig/evidence/sr_file_traces.hpp"
#include "rig/wire/bit_time.hpp"

#include <algorithm>

namespace rig::analysis {
namespace {

using wire::Level;
using wire::Trace;

/// The traces of the channels that were recorded, in one pass over the file.
std::map<std::string, Trace> traces_of(const std::filesystem::path& path) {
    const auto file = evidence::SrFile::open(path, Culprit::bench);
    auto list = evidence::read_traces(file, file.channels());
    std::map<std::string, Trace> traces;
    for (std::size_t i = 0; i < list.size(); ++i) traces.emplace(file.channels()[i].name, std::move(list[i]));
    return traces;
}

std::optional<Trace> take(std::map<std::string, Trace>& traces, const std::string& name) {
    auto node = traces.extract(name);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
}

/// The record is found by its nonce in the bytes that were decoded, never by a gap.
void find_record_frames(WireEvidence& evidence, const std::string& nonce) {
    // Breaks give no byte, so that byte i is frame i only among the others.
    std::vector<std::size_t> frame_of_byte;
    for (std::size_t i = 0; i < evidence.decoded.frames.size(); ++i) {
        if (!evidence.decoded.frames[i].errors.line_break) frame_of_byte.push_back(i);
    }
    const std::string bytes = wire::bytes_of(evidence.decoded.frames);
    const auto record = console::find_record(bytes, "test " + nonce + " ");
    if (!record) return;
    const auto first = frame_of_byte.at(record->begin);
    const auto last = frame_of_byte.at(record->end - 1);
    evidence.record = wire::FrameRange{first, last - first + 1};
    evidence.record_bytes = bytes.substr(record->begin, record->end - record->begin);
}

}  // namespace

WireEvidence read_wire(const evidence::Bundle& bundle, const evidence::TrialRecord& record, Baud nominal,
                       std::optional<Trace>& marker) {
    WireEvidence evidence;
    if (!record.capture || record.capture->file.empty()) return evidence;
    try {
        auto traces = traces_of(bundle.path_of(record.capture->file));
        evidence.tx = take(traces, "tx");
        evidence.heartbeat = take(traces, "heartbeat");
        marker = take(traces, "marker");
        if (!evidence.tx) {
            evidence.unreadable = "the capture has no channel tx";
            return evidence;
        }
        evidence.decoded = wire::decode_fitted(*evidence.tx, wire::bit_time_of(nominal), wire::UartFormat{}).decoded;
    } catch (const Error& error) {
        evidence.unreadable = error.what();
        evidence.tx.reset();
        return evidence;
    }
    find_record_frames(evidence, record.nonce);
    return evidence;
}

std::optional<Span> find_marker_pulse(const Trace& marker, const Span& record) {
    std::optional<Span> best;
    picoseconds best_overlap{0};
    for (std::size_t i = 0; i + 1 < marker.edges.size(); ++i) {
        if (marker.edges[i].level != Level::high) continue;
        const Span pulse{time_of(marker.edges[i].at, marker.rate), time_of(marker.edges[i + 1].at, marker.rate)};
        const auto overlap = std::min(pulse.end, record.end) - std::max(pulse.begin, record.begin);
        if (overlap <= best_overlap) continue;
        best = pulse;
        best_overlap = overlap;
    }
    return best;
}

}  // namespace rig::analysis
