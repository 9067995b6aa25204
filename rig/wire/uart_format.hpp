// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rig::wire {

enum class Parity : std::uint8_t { none, even, odd, mark, space };
/// `normal`: the idle line is high. `inverted`: it is low (RS-232 levels before the receiver, some opto-couplers).
enum class Polarity : std::uint8_t { normal, inverted };
enum class BitOrder : std::uint8_t { lsb_first, msb_first };

/// How a UART puts a character on the wire. Always one start bit.
struct UartFormat {
    unsigned data_bits = 8;  ///< 5 to 9
    Parity parity = Parity::none;
    unsigned stop_half_bits = 2;  ///< 2, 3 or 4: one, one and a half, two stop bits
    Polarity polarity = Polarity::normal;
    BitOrder bit_order = BitOrder::lsb_first;

    bool operator==(const UartFormat&) const = default;
};

/// Index of the first stop bit, counted in bits from the start bit's edge: start, data and parity come before it.
constexpr unsigned stop_bit_index(const UartFormat& format) {
    return 1 + format.data_bits + (format.parity == Parity::none ? 0 : 1);
}

/// Length of a whole frame, start and stop bits included, in half bits.
constexpr unsigned frame_half_bits(const UartFormat& format) {
    return 2 * stop_bit_index(format) + format.stop_half_bits;
}

/// Length of a whole frame in bits: 10 for 8N1, 8.5 for 5N1.5.
constexpr double frame_bits(const UartFormat& format) {
    return frame_half_bits(format) / 2.0;
}

/// The parity bit that belongs to `value` (true: mark). False where the format has none.
bool parity_bit_of(const UartFormat& format, std::uint16_t value);

/// Reads "8N1", "7E1.5", "8N1/inverted", "8N1/msb", "8N1/inverted/msb" (case does not matter, "inv" will do).
/// Throws PlanError that says which part is wrong.
UartFormat parse_uart_format(std::string_view text);

/// Writes what parse_uart_format reads: "8N1", "7E1.5", "8N1/inverted", …
std::string to_string(const UartFormat& format);

/// The part of to_string without polarity and bit order: "8N1".
std::string short_name(const UartFormat& format);

}  // namespace rig::wire
