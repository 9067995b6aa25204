// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace rig {

/// `text` without the blanks at its ends (space, tab, carriage return).
inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace rig
