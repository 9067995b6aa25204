// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Bytes that came from a target, shown so that a reader sees what is there and a terminal or a browser does nothing
/// else with it.
namespace rig::reports {

/// How much of a text is shown; the rest is counted, never silently left out.
struct TextBound {
    std::size_t lines = 1;  ///< with 1, line ends are shown as \r and \n
    std::size_t characters_a_line = 1000;
};

/// The text as clean UTF-8 without any control: C0 controls and DEL as \r, \n, \t or \xNN, bytes that are no UTF-8 as
/// \xNN, and whatever turns, hides or joins text (bidi controls, zero-width characters, line separators, noncharacters,
/// private use) as \u{NNNN}. Escapes and no control pictures: many fonts lack those. A text that was cut says how many
/// bytes are missing.
/// With more than one line allowed, LF and CR LF are kept as LF.
std::string visible_text(std::string_view bytes, TextBound bound = {});

/// Columns that clean UTF-8 takes on a terminal: 2 for East Asian wide characters, 0 for combining marks.
std::size_t display_width(std::string_view text);

/// Clean UTF-8 cut to `columns` columns, with … for what was cut.
std::string elide(std::string_view text, std::size_t columns);

}  // namespace rig::reports
