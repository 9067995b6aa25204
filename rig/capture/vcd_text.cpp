// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/vcd_text.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace rig::capture {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
/// States of Verilog and of VHDL's std_logic.
constexpr std::string_view digits_known = "01xXzZuUwWhHlL-";
constexpr std::size_t most_command_words = 64;
constexpr std::size_t most_command_bytes = 16384;
constexpr const char* value_hint =
    "a value is 0, 1, x or z with its identifier, as in 1!, or b and digits, as in b0101 !; look whether the file is a "
    "VCD";

/// Commands around values, which need no reading.
bool is_bracket(std::string_view word) {
    return word == "$end" || word == "$dumpvars" || word == "$dumpall" || word == "$dumpon" || word == "$dumpoff";
}

/// Goes from word to word.
class Walk {
public:
    Walk(LineReader& lines, VcdVisitor& visitor) : words_(lines), visitor_(visitor) {}

    void go() {
        while (const auto word = words_.next()) take(*word);
    }

private:
    void take(std::string_view word) {
        switch (word.front()) {
            case '$':
                if (!is_bracket(word)) visitor_.command(std::string(word), words_);
                break;
            case '#':
                take_time(word);
                break;
            case 'b':
            case 'B':
                take_value(word, word.substr(1), identifier(word));
                break;
            case 'r':
            case 'R':
            case 's':
            case 'S':
                (void)identifier(word);  // a real or a string is no logic
                break;
            default:
                take_value(word, word.substr(0, 1), word.size() > 1 ? word.substr(1) : identifier(word));
        }
    }

    std::string_view identifier(std::string_view word) {
        if (const auto id = words_.next_on_line()) return *id;
        words_.fail_at(word, fmt::format("the value {} has no identifier", shown(word)), value_hint);
    }

    void take_value(std::string_view word, std::string_view digits, std::string_view id) {
        if (digits.empty() || digits.find_first_not_of(digits_known) != std::string_view::npos)
            words_.fail_at(word, fmt::format("{} is no time, value or command", shown(word)), value_hint);
        if (!visitor_.value(id, digits))
            words_.fail_at(id, fmt::format("no $var declares the identifier {}", shown(id)),
                           "the file is damaged, or its $var lines were cut out");
    }

    void take_time(std::string_view word) {
        std::uint64_t at = 0;
        const char* end = word.data() + word.size();
        const auto [parsed, error] = std::from_chars(word.data() + 1, end, at);
        if (error != std::errc{} || parsed != end)
            words_.fail_at(word, fmt::format("{} is no time that fits in 64 bits", shown(word)),
                           "a time is # and a whole number");
        if (at < now_)
            words_.fail_at(word, fmt::format("the time goes back from #{} to #{}", now_, at),
                           "the file is damaged, or two dumps were joined; take one of them");
        now_ = at;
        visitor_.time(at);
    }

    VcdWords words_;
    VcdVisitor& visitor_;
    std::uint64_t now_ = 0;
};

}  // namespace

std::optional<std::string_view> VcdWords::next_on_line() {
    const std::size_t begin = rest_.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(begin);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    return word;
}

std::optional<std::string_view> VcdWords::next() {
    while (true) {
        if (const auto word = next_on_line()) return word;
        const auto line = lines_.next();
        if (!line) return std::nullopt;
        rest_ = *line;
    }
}

std::optional<std::string_view> VcdWords::next_before_end(std::string_view command) {
    const auto word = next();
    if (!word) fail(fmt::format("the file ends within {}", shown(command)), "the file is cut short");
    if (*word == "$end") return std::nullopt;
    return word;
}

std::vector<std::string> VcdWords::up_to_end(std::string_view command) {
    std::vector<std::string> words;
    std::size_t bytes = 0;
    while (const auto word = next_before_end(command)) {
        bytes += word->size();
        if (words.size() == most_command_words || bytes > most_command_bytes)
            fail_at(*word, fmt::format("{} is too long", command), "its $end is missing");
        words.emplace_back(*word);
    }
    return words;
}

void visit_vcd(LineReader& lines, VcdVisitor& visitor) {
    Walk(lines, visitor).go();
}

std::optional<wire::Level> vcd_level(char digit) {
    switch (digit) {
        case '0':
        case 'l':
        case 'L':
            return wire::Level::low;
        case '1':
        case 'h':
        case 'H':
            return wire::Level::high;
        default:
            return std::nullopt;
    }
}

char vcd_digit(std::string_view digits, std::size_t bit) {
    if (bit < digits.size()) return digits[digits.size() - 1 - bit];
    return digits.front() == '1' ? '0' : digits.front();
}

}  // namespace rig::capture
