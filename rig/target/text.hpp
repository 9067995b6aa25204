// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

/// Lines and words of the files that a target prints.
namespace rig::target::text {

/// The number that all of `text` is; nothing when it is none.
template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The lines of a text, counted from 1.
struct Lines {
    std::string_view rest;
    unsigned number = 0;

    bool next(std::string_view& line) {
        if (rest.empty()) return false;
        const auto end = rest.find('\n');
        line = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        ++number;
        return true;
    }
};

/// What stands between the blanks.
inline std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view blanks = " \t";
    std::vector<std::string_view> words;
    while (true) {
        const auto begin = line.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return words;
        const auto end = line.find_first_of(blanks, begin);
        words.push_back(line.substr(begin, end - begin));
        if (end == std::string_view::npos) return words;
        line = line.substr(end);
    }
}

}  // namespace rig::target::text
