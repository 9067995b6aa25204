// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/faults.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rig::sim {
namespace {

constexpr std::array rows{
    FaultRow{FaultKind::analyzer_absent, "analyzer-absent", "", "", "the analyzer is not found",
             "error, culprit bench: the analyzer is missing"},
    FaultRow{FaultKind::analyzer_close, "analyzer-close", "at", "capture",
             "the capture ends after sample AT as if it were done", "certificate: sample count"},
    FaultRow{FaultKind::analyzer_lose_block, "analyzer-lose-block", "at samples", "capture",
             "SAMPLES samples from AT on are lost without a word; later ones fill the count",
             "certificate: heartbeat (and bit phase, when the block lies inside a record)"},
    FaultRow{FaultKind::analyzer_no_end, "analyzer-no-end", "", "capture", "all samples come, the end packet never",
             "certificate: end packet"},
    FaultRow{FaultKind::analyzer_off_rate, "analyzer-off-rate", "ppm", "capture",
             "the analyzer samples PPM faster than it says", "certificate: elapsed time"},
    FaultRow{FaultKind::board_hang, "board-hang", "", "capture byte",
             "the board stops for good before TX byte BYTE, interrupts off", "fail, culprit dut: the board hung"},
    FaultRow{FaultKind::board_never_prompts, "board-never-prompts", "", "", "the kernel boots, no shell comes",
             "error, culprit bench: the board never reached its prompt"},
    FaultRow{FaultKind::board_panic, "board-panic", "", "capture",
             "the kernel panics behind the stimulus's first record", "fail, culprit dut: the board panicked"},
    FaultRow{FaultKind::board_reboot, "board-reboot", "", "capture",
             "the board resets behind the stimulus's first record and boots again",
             "fail, culprit dut: the board rebooted"},
    FaultRow{FaultKind::channel_unplug, "channel-unplug", "channel", "capture",
             "the probe of tx, rx, marker or heartbeat hangs in the air: UART lines read high, the others low",
             "no wire figure (tx), no marker figure (marker), certificate: heartbeat (heartbeat)"},
    FaultRow{FaultKind::console_lose_byte, "console-lose-byte", "byte", "capture",
             "TX byte BYTE is on the wire but never reaches the host",
             "certificate: the bytes on the wire are the console's bytes"},
    FaultRow{FaultKind::console_missing, "console-missing", "", "", "the console is not found",
             "error, culprit bench: the console is missing"},
    FaultRow{FaultKind::console_unplug, "console-unplug", "", "capture byte",
             "the console's line is lost in place of TX byte BYTE", "error, culprit bench: the console was lost"},
    FaultRow{FaultKind::guest_held, "guest-held", "byte ms", "capture",
             "the witness reports that the guest was not run for MS milliseconds before TX byte BYTE",
             "certificate: run delay"},
    FaultRow{FaultKind::guest_paged, "guest-paged", "", "capture",
             "the witness reports that the guest waited for a page from a disk", "certificate: page faults"},
    FaultRow{FaultKind::pacer_stall, "pacer-stall", "byte ms", "capture",
             "the wire stands still for MS milliseconds before TX byte BYTE; the witness reports the slip",
             "certificate: pacer slip"},
    FaultRow{FaultKind::pin_late, "pin-late", "", "capture",
             "the witness reports that the marker's edges came after their samples", "certificate: late events"},
    FaultRow{FaultKind::power_fails, "power-fails", "", "", "the power switch does not answer",
             "error, culprit bench: the power switch failed"},
    FaultRow{
        FaultKind::probe_glitch, "probe-glitch", "at samples", "capture",
        "the probe of tx reads low for SAMPLES samples from AT on; the wire knows nothing of it",
        "certificate: idle time before the first edge (before the stimulus), or framing (where it is a frame long)"},
    FaultRow{FaultKind::wire_garbage, "wire-garbage", "byte", "capture",
             "a frame without a stop bit stands on the wire before TX byte BYTE; the host's UART drops it",
             "certificate: framing errors"},
};

constexpr std::array<std::pair<std::string_view, std::optional<std::uint64_t> Fault::*>, 5> number_keys{{
    {"capture", &Fault::capture},
    {"at", &Fault::at},
    {"samples", &Fault::samples},
    {"byte", &Fault::byte},
    {"ms", &Fault::ms},
}};

constexpr std::array<std::string_view, 4> channel_names{"tx", "rx", "marker", "heartbeat"};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return parts;
}

std::vector<std::string_view> keys_of(const FaultRow& row) {
    auto keys = split(row.needs, ' ');
    for (const auto key : split(row.takes, ' ')) keys.push_back(key);
    return keys;
}

template <class Number>
Number number_of(std::string_view key, std::string_view text) {
    Number value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size())
        throw PlanError(fmt::format("the fault key {} wants a whole number, not '{}'", key, text));
    return value;
}

void set_key(Fault& fault, std::string_view key, std::string_view value) {
    if (key == "channel") {
        if (std::ranges::find(channel_names, value) == channel_names.end())
            throw PlanError(fmt::format("the fault key channel is '{}'", value),
                            fmt::format("known: {}", fmt::join(channel_names, ", ")));
        fault.channel = value;
        return;
    }
    if (key == "ppm") {
        fault.ppm = number_of<std::int64_t>(key, value);
        return;
    }
    for (const auto& [name, member] : number_keys) {
        if (name != key) continue;
        fault.*member = number_of<std::uint64_t>(key, value);
        if (fault.*member == 0U && (key == "capture" || key == "byte"))
            throw PlanError(fmt::format("the fault key {} is 0", key), "it counts from 1");
    }
}

std::uint64_t byte_of(const Fault& fault) {
    return fault.byte.value_or(1);
}

}  // namespace

std::span<const FaultRow> fault_table() {
    return rows;
}

Fault parse_fault(std::string_view text) {
    const auto colon = text.find(':');
    const auto name = text.substr(0, colon);
    const auto* const row = std::ranges::find(rows, name, &FaultRow::name);
    if (row == rows.end()) {
        std::vector<std::string_view> names;
        for (const auto& known : rows) names.push_back(known.name);
        throw PlanError(fmt::format("the sim has no fault '{}'", name),
                        fmt::format("known: {}", fmt::join(names, ", ")));
    }
    Fault fault{.kind = row->kind};
    const auto known = keys_of(*row);
    auto missing = split(row->needs, ' ');
    for (const auto assignment : split(colon == std::string_view::npos ? "" : text.substr(colon + 1), ',')) {
        const auto equals = assignment.find('=');
        const auto key = assignment.substr(0, equals);
        if (equals == std::string_view::npos || std::ranges::find(known, key) == known.end())
            throw PlanError(
                fmt::format("'{}' means nothing to the fault {}", assignment, name),
                fmt::format("it takes: {}", known.empty() ? "no keys" : fmt::format("{}", fmt::join(known, ", "))));
        set_key(fault, key, assignment.substr(equals + 1));
        std::erase(missing, key);
    }
    if (!missing.empty()) throw PlanError(fmt::format("the fault {} needs the key {}", name, missing.front()));
    return fault;
}

bool FaultBoard::holds(FaultKind kind) const {
    return std::ranges::find(faults_, kind, &Fault::kind) != faults_.end();
}

std::optional<Fault> FaultBoard::in_capture(FaultKind kind, std::uint64_t capture) const {
    const auto found = std::ranges::find_if(faults_, [kind, capture](const Fault& fault) {
        return fault.kind == kind && fault.capture.value_or(capture) == capture;
    });
    return found == faults_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Fault> FaultBoard::at_byte(FaultKind kind, std::uint64_t capture, std::uint64_t byte) const {
    const auto found = std::ranges::find_if(faults_, [kind, capture, byte](const Fault& fault) {
        return fault.kind == kind && fault.capture.value_or(capture) == capture && byte_of(fault) == byte;
    });
    return found == faults_.end() ? std::nullopt : std::optional(*found);
}

bool FaultBoard::unplugged(std::string_view channel, std::uint64_t capture) const {
    return std::ranges::any_of(faults_, [channel, capture](const Fault& fault) {
        return fault.kind == FaultKind::channel_unplug && fault.channel == channel &&
               fault.capture.value_or(capture) == capture;
    });
}

}  // namespace rig::sim
