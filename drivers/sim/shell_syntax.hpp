// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The part of the POSIX shell's grammar that the sim's shell reads: simple commands, quotes, `$?`, `$name`,
/// `$(command)`, redirections, pipes, `;`, `&&` and `||`. Jobs, compounds and patterns are refused.
namespace rig::sim::syntax {

/// A piece of a word.
struct Piece {
    enum class Kind { text, variable, command };
    Kind kind = Kind::text;
    std::string value;    ///< the text, the variable's name, or the command's line
    bool quoted = false;  ///< what it expands to is not split into words
};

struct Word {
    std::vector<Piece> pieces;
};

struct Redirection {
    enum class Kind { read, write, append, join };  ///< join: 2>&1
    Kind kind;
    int from = 0;  ///< 0, 1 or 2
    Word target;
};

struct Assignment {
    std::string name;
    Word value;
};

struct Command {
    enum class When { always, after_success, after_failure, on_its_output };  ///< of the command before; the last: `|`
    When when = When::always;
    std::vector<Assignment> assignments;
    std::vector<Word> words;
    std::vector<Redirection> redirections;
};

/// The commands of a line, or what is wrong with it in the shell's words.
std::expected<std::vector<Command>, std::string> parse(std::string_view line);

}  // namespace rig::sim::syntax
