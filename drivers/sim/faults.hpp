// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rig::sim {

/// What can be made to go wrong in the sim. Those that the virtual bench has too carry its names and keys.
enum class FaultKind {
    analyzer_absent,
    analyzer_close,
    analyzer_lose_block,
    analyzer_no_end,
    analyzer_off_rate,
    board_hang,
    board_never_prompts,
    board_panic,
    board_reboot,
    channel_unplug,
    console_lose_byte,
    console_missing,
    console_unplug,
    guest_held,
    guest_paged,
    pacer_stall,
    pin_late,
    power_fails,
    probe_glitch,
    wire_garbage,
};

/// One fault: a kind, when it strikes, and how hard.
struct Fault {
    FaultKind kind;
    std::optional<std::uint64_t>
        capture{};                      ///< strikes in this capture only, counted from 1; every capture when absent
    std::optional<std::uint64_t> at{};  ///< sample of the capture, from 0
    std::optional<std::uint64_t> samples{};  ///< length of a block
    std::optional<std::uint64_t> byte{};     ///< TX byte since the capture's start, from 1; the first when absent
    std::optional<std::uint64_t> ms{};
    std::optional<std::int64_t> ppm{};
    std::string channel{};  ///< tx, rx, marker or heartbeat

    bool operator==(const Fault&) const = default;
};

/// A row of the table of faults: all that is known of a kind besides the code at the place where it strikes.
struct FaultRow {
    FaultKind kind;
    std::string_view name;
    std::string_view needs;  ///< keys that must be given, separated by blanks
    std::string_view takes;  ///< keys that may be given
    std::string_view strikes;
    std::string_view must_produce;  ///< the certificate line it turns red, or the cause it leads to
};

/// The table. A new fault is a row here, a FaultKind, and the code at the place where it strikes.
std::span<const FaultRow> fault_table();

/// Reads "NAME[:key=value,…]"; a PlanError says what would be right.
Fault parse_fault(std::string_view text);

/// The faults in force. One thread.
class FaultBoard {
public:
    FaultBoard() = default;
    explicit FaultBoard(std::vector<Fault> faults) : faults_(std::move(faults)) {}

    void add(Fault fault) { faults_.push_back(std::move(fault)); }
    void clear() { faults_.clear(); }

    /// Whether a fault of this kind is in force at all.
    [[nodiscard]] bool holds(FaultKind kind) const;
    /// The first fault of this kind that strikes in the capture of this number.
    [[nodiscard]] std::optional<Fault> in_capture(FaultKind kind, std::uint64_t capture) const;
    /// The first fault of this kind that strikes at this TX byte of the capture.
    [[nodiscard]] std::optional<Fault> at_byte(FaultKind kind, std::uint64_t capture, std::uint64_t byte) const;
    /// Whether the probe of this channel hangs in the air during the capture.
    [[nodiscard]] bool unplugged(std::string_view channel, std::uint64_t capture) const;

private:
    std::vector<Fault> faults_;
};

}  // namespace rig::sim
