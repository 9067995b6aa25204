// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vbench {

namespace {

constexpr std::array rows{
    FaultRow{FaultKind::analyzer_absent, "analyzer-absent", "", "", "the analyzer's TCP port refuses connections",
             "error, culprit bench: the analyzer cannot be reached"},
    FaultRow{FaultKind::analyzer_close, "analyzer-close", "at", "capture",
             "the analyzer's connection is closed after sample AT", "certificate: sample count (the capture is short)"},
    FaultRow{FaultKind::analyzer_lose_block, "analyzer-lose-block", "at samples", "capture",
             "SAMPLES samples from AT on are lost without a word; later ones fill the count",
             "certificate: heartbeat (and bit phase, when the block lies inside a record)"},
    FaultRow{FaultKind::analyzer_pause, "analyzer-pause", "at ms", "capture",
             "no sample from AT on is sent for MS milliseconds; none is lost", "certificate: elapsed time"},
    FaultRow{FaultKind::board_hang, "board-hang", "", "capture byte",
             "the guest stops executing, at once or at TX byte BYTE of the capture (1 when only capture is given)",
             "fail, culprit dut: the board hung"},
    FaultRow{
        FaultKind::board_reset, "board-reset", "", "capture byte",
        "the board's reset line is pulled, at once or at TX byte BYTE of the capture (1 when only capture is given)",
        "fail, culprit dut: the board rebooted"},
    FaultRow{FaultKind::channel_invert, "channel-invert", "channel", "capture",
             "the probe of tx, rx or marker shows the opposite level, as behind an RS-232 driver",
             "no wire figure (tx); rig doctor: the idle level"},
    FaultRow{FaultKind::channel_stuck, "channel-stuck", "channel", "capture",
             "the probe of tx, rx or marker reads low whatever happens, as with a short to ground",
             "no wire figure (tx) or no marker figure (marker); rig doctor: the idle level"},
    FaultRow{FaultKind::channel_unplug, "channel-unplug", "channel", "capture",
             "the probe of tx, rx or marker hangs in the air: constant high, the marker low",
             "no wire figure (tx) or no marker figure (marker); rx: none"},
    FaultRow{FaultKind::console_garbage, "console-garbage", "byte", "capture",
             "TX byte BYTE of the capture reaches the console's client with one bit turned",
             "certificate: the bytes on the wire are the console's bytes"},
    FaultRow{FaultKind::console_lose_byte, "console-lose-byte", "byte", "capture",
             "TX byte BYTE of the capture is on the wire but never reaches the console's client",
             "certificate: the bytes on the wire are the console's bytes"},
    FaultRow{FaultKind::console_unplug, "console-unplug", "", "capture byte",
             "the console client's connection is closed, at once or at TX byte BYTE of the capture (1 when only "
             "capture is given)",
             "error, culprit bench: the console was lost"},
    FaultRow{
        FaultKind::guest_held, "guest-held", "ms", "capture byte",
        "the guest's processors are taken from it for MS milliseconds, at once or at TX byte BYTE of the capture (1 "
        "when only capture is given); needs real-time priority",
        "certificate: run delay"},
    FaultRow{FaultKind::pacer_stall, "pacer-stall", "byte ms", "capture",
             "the pacer stops for MS milliseconds before TX byte BYTE of the capture; reported as the slip it is",
             "certificate: pacer slip"},
    FaultRow{FaultKind::pin_late, "pin-late", "ms", "capture",
             "the marker's edges become known MS milliseconds late, behind their samples when MS is over 50",
             "certificate: late events"},
    FaultRow{
        FaultKind::probe_glitch, "probe-glitch", "at samples", "capture",
        "the probe of tx reads low for SAMPLES samples from AT on; the wire and the console know nothing of it",
        "certificate: idle time before the first edge (before the stimulus), or framing (where it is a frame long)"},
};

constexpr std::array<std::pair<std::string_view, std::optional<std::uint64_t> Fault::*>, 5> number_keys{{
    {"capture", &Fault::capture},
    {"at", &Fault::at},
    {"samples", &Fault::samples},
    {"byte", &Fault::byte},
    {"ms", &Fault::ms},
}};

constexpr std::array<std::pair<std::string_view, Wire>, 3> channel_names{{
    {"tx", Wire::tx},
    {"rx", Wire::rx},
    {"marker", Wire::marker},
}};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return parts;
}

bool lists(std::string_view keys, std::string_view key) {
    return std::ranges::count(split(keys, ' '), key) > 0;
}

std::string keys_of(const FaultRow& row) {
    auto keys = split(row.needs, ' ');
    std::ranges::copy(split(row.takes, ' '), std::back_inserter(keys));
    return keys.empty() ? "no keys" : fmt::format("the keys {}", fmt::join(keys, ", "));
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::string> set_channel(Fault& fault, std::string_view value) {
    const auto* const found = std::ranges::find(channel_names, value, &std::pair<std::string_view, Wire>::first);
    if (found == channel_names.end()) return fmt::format("fault channel '{}' is not tx, rx or marker", value);
    fault.channel = found->second;
    return std::nullopt;
}

std::optional<std::string> set_key(Fault& fault, const FaultRow& row, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string_view key = assignment.substr(0, equals);
    if (equals == std::string_view::npos || (!lists(row.needs, key) && !lists(row.takes, key))) {
        return fmt::format("'{}' means nothing to fault {}, which takes {}", assignment, row.name, keys_of(row));
    }
    const std::string_view value = assignment.substr(equals + 1);
    if (key == "channel") return set_channel(fault, value);
    const auto parsed = number(value);
    const bool counts_from_one = key == "capture" || key == "byte";
    if (!parsed || (counts_from_one && *parsed == 0)) {
        return fmt::format("fault key {} wants a number{}, not '{}'", key, counts_from_one ? " counted from 1" : "",
                           value);
    }
    for (const auto& [name, member] : number_keys) {
        if (name == key) fault.*member = parsed;
    }
    return std::nullopt;
}

bool has(const Fault& fault, std::string_view key) {
    if (key == "channel") return fault.channel.has_value();
    return std::ranges::any_of(
        number_keys, [&](const auto& entry) { return entry.first == key && (fault.*entry.second).has_value(); });
}

const FaultRow& row_of(FaultKind kind) {
    return *std::ranges::find(rows, kind, &FaultRow::kind);
}

}  // namespace

std::span<const FaultRow> fault_table() {
    return rows;
}

std::expected<Fault, std::string> parse_fault(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const auto* const row = std::ranges::find(rows, name, &FaultRow::name);
    if (row == rows.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(rows, std::back_inserter(names), &FaultRow::name);
        return std::unexpected(fmt::format("there is no fault '{}'; known are {}", name, fmt::join(names, ", ")));
    }
    Fault fault{.kind = row->kind};
    if (colon != std::string_view::npos) {
        for (const std::string_view assignment : split(text.substr(colon + 1), ',')) {
            if (auto problem = set_key(fault, *row, assignment)) return std::unexpected(*problem);
        }
    }
    for (const std::string_view key : split(row->needs, ' ')) {
        if (!has(fault, key)) return std::unexpected(fmt::format("fault {} needs the key {}", row->name, key));
    }
    return fault;
}

std::string text_of(const Fault& fault) {
    std::vector<std::string> keys;
    for (const auto& [name, member] : number_keys) {
        if (const auto& value = fault.*member) keys.push_back(fmt::format("{}={}", name, *value));
    }
    for (const auto& [name, wire] : channel_names) {
        if (fault.channel == wire) keys.push_back(fmt::format("channel={}", name));
    }
    const std::string_view name = row_of(fault.kind).name;
    return keys.empty() ? std::string(name) : fmt::format("{}:{}", name, fmt::join(keys, ","));
}

std::vector<Fault> FaultBoard::in_capture(FaultKind kind, std::uint64_t capture) const {
    std::vector<Fault> found;
    std::ranges::copy_if(faults_, std::back_inserter(found), [&](const Fault& fault) {
        return fault.kind == kind && fault.capture.value_or(capture) == capture;
    });
    return found;
}

bool FaultBoard::holds(FaultKind kind) const {
    return std::ranges::find(faults_, kind, &Fault::kind) != faults_.end();
}

Probes FaultBoard::probes(std::uint64_t capture) const {
    Probes probes{};
    for (const auto& [kind, state] : {std::pair{FaultKind::channel_unplug, ProbeState::in_the_air},
                                      std::pair{FaultKind::channel_stuck, ProbeState::stuck_low},
                                      std::pair{FaultKind::channel_invert, ProbeState::inverted}}) {
        for (const Fault& fault : in_capture(kind, capture))
            probes[static_cast<std::size_t>(fault.channel.value())] = state;
    }
    return probes;
}

}  // namespace vbench
