// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wire_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vbench {

/// An access to a PL061 GPIO block as QEMU's log tells of it.
struct PinTraceEvent {
    enum class Kind { reset, write };

    /// CLOCK_REALTIME, which QEMU cuts off to microseconds.
    std::chrono::microseconds realtime;
    /// QEMU's name of the block, such as `/machine/unattached/device[15]`.
    std::string_view device;
    Kind kind;
    /// Register offset in bytes and value written; 0 for a reset.
    std::uint64_t offset = 0;
    std::uint64_t value = 0;
};

/// Reads one line of QEMU's log without its line end. QEMU 7.2 with `-msg timestamp=on` writes
///
///     4954@1796072711.255578:pl061_write /machine/unattached/device[15] offset 0x4 value 0x1
///     4954@1796072711.255642:pl061_reset /machine/unattached/device[15] reset
///
/// (util/log.c and hw/gpio/trace-events of that release). Nothing is returned for any other line. The event refers to
/// the line's text.
std::optional<PinTraceEvent> parse_pin_trace(std::string_view text);

/// One PL061 block as far as its output pins go (ARM PrimeCell PL061 manual, DDI 0190: the address bits [9:2] of a data
/// register access mask the bits written; GPIODIR lies at 0x400). A pin that is no output reads low: the marker probe
/// has a pull-down.
class Pl061 {
public:
    void apply(const PinTraceEvent& event);
    [[nodiscard]] Level level(unsigned pin) const;

private:
    std::uint8_t data_ = 0;
    std::uint8_t direction_ = 0;
};

/// Picks the marker pin out of the log: pin 0 of the first PL061 of the board. QEMU numbers devices as the board
/// creates them, and both `versatilepb` and `virt` create the block at the lowest address first; each is reset before
/// the guest runs, so the lowest number seen is that block's.
class MarkerPin {
public:
    explicit MarkerPin(unsigned pin) : pin_(pin) {}

    /// Takes an event; gives the pin's level after it if the event was for the marker's block.
    std::optional<Level> apply(const PinTraceEvent& event);

private:
    unsigned pin_;
    std::string device_;
    Pl061 block_;
};

}  // namespace vbench
