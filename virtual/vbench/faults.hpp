// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "waveform.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vbench {

/// What can be made to go wrong on the bench.
enum class FaultKind {
    analyzer_absent,
    analyzer_close,
    analyzer_lose_block,
    analyzer_pause,
    board_hang,
    board_reset,
    channel_invert,
    channel_stuck,
    channel_unplug,
    console_garbage,
    console_lose_byte,
    console_unplug,
    guest_held,
    pacer_stall,
    pin_late,
    probe_glitch,
};

/// One fault as asked for: a kind and the values of its keys.
struct Fault {
    FaultKind kind;
    /// Strike in this capture only, counted from 1 since the bench started; in every capture when not given.
    std::optional<std::uint64_t> capture{};
    /// Sample number in the capture, from 0.
    std::optional<std::uint64_t> at{};
    /// Length of a block in samples.
    std::optional<std::uint64_t> samples{};
    /// TX byte since the capture's start, counted from 1.
    std::optional<std::uint64_t> byte{};
    /// Milliseconds.
    std::optional<std::uint64_t> ms{};
    std::optional<Wire> channel{};
};

/// A row of the table of faults: what `--help`, the README and the parser know of a kind.
struct FaultRow {
    FaultKind kind;
    std::string_view name;
    /// Keys that must be given, and keys that may be given, separated by blanks.
    std::string_view needs;
    std::string_view takes;
    std::string_view strikes;
    /// The certificate line it must turn red, or the cause it must lead to.
    std::string_view must_produce;
};

/// The table of faults. A new fault is a new row here, a new FaultKind, and the code at the place it strikes.
std::span<const FaultRow> fault_table();

/// Reads `NAME[:key=value,…]`. The error is one sentence that says what would be right.
std::expected<Fault, std::string> parse_fault(std::string_view text);

/// The text that parse_fault reads as this fault.
std::string text_of(const Fault& fault);

/// The faults in force. Belongs to the main thread.
class FaultBoard {
public:
    void add(Fault fault) { faults_.push_back(fault); }
    void clear() { faults_.clear(); }

    /// The faults of a kind that strike in the capture with this number.
    [[nodiscard]] std::vector<Fault> in_capture(FaultKind kind, std::uint64_t capture) const;

    /// Whether a fault of this kind is in force at all.
    [[nodiscard]] bool holds(FaultKind kind) const;

    /// The probes that hang in the air during the capture with this number.
    [[nodiscard]] Probes probes(std::uint64_t capture) const;

    [[nodiscard]] std::span<const Fault> all() const { return faults_; }

private:
    std::vector<Fault> faults_;
};

}  // namespace vbench
