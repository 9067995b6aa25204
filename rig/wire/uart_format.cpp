// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/uart_format.hpp"

#include "rig/error.hpp"

#include <bit>
#include <cctype>

#include <fmt/format.h>

namespace rig::wire {

namespace {

constexpr std::string_view parity_letters = "NEOMS";

[[noreturn]] void refuse(std::string_view text, std::string_view what) {
    throw PlanError(
        fmt::format("'{}' is no UART format: {}", text, what),
        "write data bits, parity and stop bits, such as 8N1, 7E1, 8O2, 5N1.5, and /inverted or /msb after it");
}

std::string lower(std::string_view text) {
    std::string result;
    for (const char c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

unsigned parse_stop(std::string_view text, std::string_view stop) {
    if (stop == "1") return 2;
    if (stop == "1.5") return 3;
    if (stop == "2") return 4;
    refuse(text, fmt::format("stop bits must be 1, 1.5 or 2, not '{}'", stop));
}

void apply_suffix(UartFormat& format, std::string_view text, std::string_view suffix) {
    const std::string word = lower(suffix);
    if (word == "inverted" || word == "inv")
        format.polarity = Polarity::inverted;
    else if (word == "msb")
        format.bit_order = BitOrder::msb_first;
    else
        refuse(text, fmt::format("'/{}' is neither /inverted nor /msb", suffix));
}

}  // namespace

bool parity_bit_of(const UartFormat& format, std::uint16_t value) {
    const bool odd_ones = std::popcount(value) % 2 == 1;
    switch (format.parity) {
        case Parity::none:
            return false;
        case Parity::even:
            return odd_ones;
        case Parity::odd:
            return !odd_ones;
        case Parity::mark:
            return true;
        case Parity::space:
            return false;
    }
    return false;
}

UartFormat parse_uart_format(std::string_view text) {
    UartFormat format;
    std::string_view rest = text;
    std::string_view core = rest.substr(0, rest.find('/'));
    if (core.size() < 3) refuse(text, "it is too short");
    if (core[0] < '5' || core[0] > '9') refuse(text, fmt::format("data bits must be 5 to 9, not '{}'", core[0]));
    format.data_bits = static_cast<unsigned>(core[0] - '0');
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(core[1])));
    const std::size_t parity = parity_letters.find(letter);
    if (parity == std::string_view::npos)
        refuse(text, fmt::format("parity must be N, E, O, M or S, not '{}'", core[1]));
    format.parity = static_cast<Parity>(parity);
    format.stop_half_bits = parse_stop(text, core.substr(2));
    rest.remove_prefix(core.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view suffix = rest.substr(0, rest.find('/'));
        apply_suffix(format, text, suffix);
        rest.remove_prefix(suffix.size());
    }
    return format;
}

std::string short_name(const UartFormat& format) {
    const char letter = parity_letters[static_cast<std::size_t>(format.parity)];
    const std::string_view stop = format.stop_half_bits == 2 ? "1" : format.stop_half_bits == 3 ? "1.5" : "2";
    return fmt::format("{}{}{}", format.data_bits, letter, stop);
}

std::string to_string(const UartFormat& format) {
    std::string text = short_name(format);
    if (format.polarity == Polarity::inverted) text += "/inverted";
    if (format.bit_order == BitOrder::msb_first) text += "/msb";
    return text;
}

}  // namespace rig::wire
