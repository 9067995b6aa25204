// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/script.hpp"

#include <fmt/format.h>

namespace rig::cli::completion {
namespace {

constexpr std::string_view frame = R"fish(# fish completion of rig, made by: rig completion fish
function __rig_stations
    set -l words (commandline -opc)
    set -l lab ''
    for at in (seq 2 (count $words))
        switch $words[$at]
            case @LAB_OPTIONS@
                set lab $words[(math $at + 1)]
            case @LAB_OPTIONS_EQUAL@
                set lab (string replace -r '^[^=]*=' '' -- $words[$at])
        end
    end
    $words[1] completion --stations "$lab" 2>/dev/null
end
complete -c rig -f
)fish";

std::string quoted(std::string_view text) {
    return "'" + replaced(replaced(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
}

std::string words_of(const Values& values) {
    std::string list;
    for (const auto& word : values.words) list += (list.empty() ? "" : " ") + word;
    return quoted(list);
}

std::string completer_of(const Values& values) {
    switch (values.kind) {
        case Values::Kind::words:
            return " -a " + words_of(values);
        case Values::Kind::files:
            return " -a " + quoted(fmt::format("(__fish_complete_suffix {})", values.suffix));
        case Values::Kind::folders:
            return " -a '(__fish_complete_directories)'";
        case Values::Kind::stations:
            return " -a '(__rig_stations)'";
        case Values::Kind::unknown:
            break;
    }
    return {};
}

std::string option_line(const std::string& condition, const Argument& option) {
    std::string line = "complete -c rig -n " + quoted(condition);
    for (const auto& name : option.names) {
        const bool is_long = name.starts_with("--");
        line += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
    }
    if (option.takes_value()) line += " -x" + completer_of(option.values);
    return line + " -d " + quoted(option.about) + "\n";
}

std::string lines_of(const Command& command) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    std::string lines;
    for (const auto& option : command.options) lines += option_line(condition, option);
    for (const auto& positional : command.positionals) {
        const auto completer = completer_of(positional.values);
        if (!completer.empty()) lines += fmt::format("complete -c rig -n {}{}\n", quoted(condition), completer);
    }
    return lines;
}

std::string lab_options_of(const CommandLine& line, std::string_view ending) {
    std::string names;
    for (const auto& command : line.commands) {
        for (const auto& option : command.options) {
            if (!option.chooses_lab()) continue;
            for (const auto& name : option.names)
                names += (names.empty() ? "" : " ") + quoted(name + std::string(ending));
        }
    }
    return names.empty() ? "''" : names;
}

}  // namespace

std::string fish_script(const CommandLine& line) {
    std::string script = replaced(std::string(frame), "@LAB_OPTIONS@", lab_options_of(line, ""));
    script = replaced(std::move(script), "@LAB_OPTIONS_EQUAL@", lab_options_of(line, "=*"));
    for (const auto& option : line.program.options) script += option_line("__fish_use_subcommand", option);
    for (const auto& command : line.commands) {
        script += fmt::format("complete -c rig -n __fish_use_subcommand -a {} -d {}\n", quoted(command.name),
                              quoted(command.about));
    }
    for (const auto& command : line.commands) script += lines_of(command);
    return script;
}

}  // namespace rig::cli::completion
