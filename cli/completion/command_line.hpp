// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

/// What a shell has to know of the command line to complete it, read off the options that the subcommands have added.
namespace rig::cli::completion {

/// Placeholders for values, as --help shows them; they say what a value is completed with. A name that ends in ".yaml"
/// or the like is a file of that kind, one with '|' in it is a choice of words.
namespace placeholder {
inline constexpr auto folder = "FOLDER";
inline constexpr auto lab = "LAB.yaml";
inline constexpr auto station = "STATION";  ///< a station of the chosen lab file
}  // namespace placeholder

/// What can stand for a value.
struct Values {
    enum class Kind { unknown, words, files, folders, stations };
    Kind kind = Kind::unknown;
    std::vector<std::string> words;  ///< of `words`
    std::string suffix;              ///< of `files`, with its dot
};

/// An option or a positional argument.
struct Argument {
    enum class Arity { flag, one, many };
    std::vector<std::string> names;  ///< with their dashes; none for a positional argument
    std::string placeholder;
    std::string about;
    Arity arity = Arity::one;
    Values values;

    [[nodiscard]] bool takes_value() const { return arity != Arity::flag; }
    [[nodiscard]] bool chooses_lab() const { return placeholder == placeholder::lab; }
};

/// A subcommand, or the program itself.
struct Command {
    std::string name;
    std::string about;
    std::vector<Argument> options;
    std::vector<Argument> positionals;
};

struct CommandLine {
    Command program;
    std::vector<Command> commands;
};

/// The command line of `app`. What --help hides is left out.
CommandLine command_line_of(const CLI::App& app);

}  // namespace rig::cli::completion
