// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/visible_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace rig::reports {
namespace {

/// One character of a byte string; `valid` is false for a byte that begins no UTF-8 sequence.
struct Character {
    char32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

/// Length of the sequence that a first byte announces; 0 where it announces none.
std::size_t sequence_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

Character read_character(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    const std::size_t length = sequence_length(first);
    if (length == 0 || length > bytes.size()) return {first, 1, false};
    if (length == 1) return {first, 1, true};
    char32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(bytes[i]);
        if ((next & 0xC0U) != 0x80U) return {first, 1, false};
        code = code << 6U | (next & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < least.at(length) || code > 0x10FFFF || surrogate) return {first, 1, false};
    return {code, length, true};
}

struct Range {
    char32_t first;
    char32_t last;
};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t code) {
    return std::ranges::any_of(ranges, [&](const Range& r) { return code >= r.first && code <= r.last; });
}

/// Characters that change how their neighbours are drawn, or draw nothing: a reader could not see that they are there.
bool deceives(char32_t code) {
    static constexpr std::array<Range, 18> ranges{{
        {0x80, 0x9F},        // C1 controls; terminals obey some of them
        {0xAD, 0xAD},        // soft hyphen
        {0x34F, 0x34F},      // combining grapheme joiner
        {0x61C, 0x61C},      // Arabic letter mark
        {0x115F, 0x1160},    // Hangul fillers
        {0x17B4, 0x17B5},    // Khmer inherent vowels
        {0x180B, 0x180F},    // Mongolian variation selectors
        {0x200B, 0x200F},    // zero width and bidi marks
        {0x2028, 0x202E},    // line and paragraph separators, bidi embeddings
        {0x2060, 0x206F},    // joiners, bidi isolates
        {0x3164, 0x3164},    // Hangul filler
        {0xE000, 0xF8FF},    // private use
        {0xFDD0, 0xFDEF},    // noncharacters
        {0xFE00, 0xFE0F},    // variation selectors
        {0xFEFF, 0xFEFF},    // byte order mark
        {0xFFA0, 0xFFA0},    // halfwidth Hangul filler
        {0xFFF0, 0xFFFB},    // specials
        {0xE0000, 0x10FFFF}  // tags, private use
    }};
    return within(ranges, code) || (code & 0xFFFEU) == 0xFFFE;
}

std::string escape_of(char32_t byte) {
    switch (byte) {
        case '\r':
            return "\\r";
        case '\n':
            return "\\n";
        case '\t':
            return "\\t";
        default:
            return fmt::format("\\x{:02X}", static_cast<unsigned>(byte));
    }
}

void append_visible(std::string& out, std::string_view bytes, const Character& character) {
    if (!character.valid || character.code < 0x20 || character.code == 0x7F) {
        out += escape_of(character.code);
    } else if (deceives(character.code)) {
        out += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(character.code));
    } else {
        out += bytes.substr(0, character.bytes);
    }
}

/// What is left of a line (or of everything) beyond the bound.
std::string left_out(std::size_t bytes) {
    return fmt::format("… [{} bytes more]", bytes);
}

bool at_line_end(std::string_view bytes) {
    return bytes.starts_with('\n') || bytes.starts_with("\r\n");
}

std::size_t line_end(std::string_view bytes) {
    const auto at = bytes.find('\n');
    if (at == std::string_view::npos) return bytes.size();
    return at > 0 && bytes[at - 1] == '\r' ? at - 1 : at;
}

}  // namespace

std::string visible_text(std::string_view bytes, TextBound bound) {
    std::string out;
    std::size_t lines = 1;
    std::size_t characters = 0;
    while (!bytes.empty()) {
        if (bound.lines > 1 && at_line_end(bytes)) {
            bytes.remove_prefix(bytes.front() == '\n' ? 1 : 2);
            if (++lines > bound.lines) return bytes.empty() ? out : out + '\n' + left_out(bytes.size());
            out += '\n';
            characters = 0;
            continue;
        }
        if (characters == bound.characters_a_line) {
            const auto rest = bound.lines > 1 ? line_end(bytes) : bytes.size();
            out += left_out(rest);
            bytes.remove_prefix(rest);
            continue;
        }
        const auto character = read_character(bytes);
        append_visible(out, bytes, character);
        bytes.remove_prefix(character.bytes);
        ++characters;
    }
    return out;
}

namespace {

std::size_t width_of(char32_t code) {
    static constexpr std::array<Range, 6> combining{
        {{0x300, 0x36F}, {0x483, 0x489}, {0x591, 0x5BD}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}}};
    static constexpr std::array<Range, 8> wide{{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0x1F300, 0x3FFFD}}};
    if (within(combining, code)) return 0;
    return within(wide, code) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const auto character = read_character(text);
        width += width_of(character.code);
        text.remove_prefix(character.bytes);
    }
    return width;
}

std::string elide(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns) return std::string(text);
    std::string out;
    std::size_t width = 0;
    while (!text.empty()) {
        const auto character = read_character(text);
        if (width + width_of(character.code) + 1 > columns) break;
        width += width_of(character.code);
        out += text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
    }
    return out + "…";
}

}  // namespace rig::reports
