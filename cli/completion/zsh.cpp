// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/script.hpp"

#include <fmt/format.h>

namespace rig::cli::completion {
namespace {

constexpr std::string_view frame = R"zsh(#compdef rig
# zsh completion of rig, made by: rig completion zsh
_rig_stations() {
    local lab=${(Q)opt_args[@LAB_OPTION@]}
    local -a names
    names=("${(@f)$("$program" completion --stations "${lab/#\~/$HOME}" 2>/dev/null)}")
    compadd -- ${names:#}
}
_rig() {
    local curcontext=$curcontext program=${${(Q)words[1]}/#\~/$HOME} state line
    local -a commands
    typeset -A opt_args
    _arguments -C -S \
@PROGRAM@        '1:command:->command' '*::argument:->argument'
    case $state in
        command)
            commands=(
@COMMANDS@            )
            _describe command commands
            ;;
        argument)
            case $line[1] in
@ARGUMENTS@            esac
            ;;
    esac
}
if [[ ${funcstack[1]} == _rig ]]; then
    _rig "$@"
else
    compdef _rig rig
fi
)zsh";

std::string quoted(std::string_view text) {
    return "'" + replaced(std::string(text), "'", R"('\'')") + "'";
}

/// What _arguments and _describe would take for their own punctuation is escaped.
std::string escaped(std::string text) {
    for (const std::string_view mark : {"\\", ":", "[", "]"})
        text = replaced(std::move(text), mark, "\\" + std::string(mark));
    return text;
}

std::string words_of(const Values& values) {
    std::string list;
    for (const auto& word : values.words) list += (list.empty() ? "" : " ") + escaped(word);
    return "(" + list + ")";
}

std::string action_of(const Values& values) {
    switch (values.kind) {
        case Values::Kind::words:
            return words_of(values);
        case Values::Kind::files:
            return fmt::format("_files -g \"*{}\"", values.suffix);
        case Values::Kind::folders:
            return "_files -/";
        case Values::Kind::stations:
            return "_rig_stations";
        case Values::Kind::unknown:
            break;
    }
    return " ";
}

/// "--lab" takes its value behind '=' or as the next word, "-b" at once or as the next word.
std::string spelling_of(const Argument& option, const std::string& name) {
    if (!option.takes_value()) return name;
    return name + (name.starts_with("--") ? "=" : "+");
}

/// A word of _arguments for each name of an option; an option that is there is not offered again, under none of its
/// names, unless it may be.
std::string option_specs(const Argument& option, std::string_view indent) {
    std::string others;
    for (const auto& name : option.names) others += (others.empty() ? "" : " ") + name;
    const auto before = option.arity == Argument::Arity::many ? "*" : "(" + others + ")";
    std::string specs;
    for (const auto& name : option.names) {
        std::string spec = fmt::format("{}{}[{}]", before, spelling_of(option, name), escaped(option.about));
        if (option.takes_value()) spec += fmt::format(":{}:{}", escaped(option.placeholder), action_of(option.values));
        specs += fmt::format("{}{} \\\n", indent, quoted(spec));
    }
    return specs;
}

std::string positional_spec(const Argument& positional, std::string_view indent) {
    const auto place = positional.arity == Argument::Arity::many ? "*" : "";
    const auto spec = fmt::format("{}:{}:{}", place, escaped(positional.placeholder), action_of(positional.values));
    return fmt::format("{}{} \\\n", indent, quoted(spec));
}

std::string branch_of(const Command& command) {
    constexpr std::string_view indent = "                        ";
    std::string branch =
        fmt::format("                {})\n                    _arguments -S \\\n", quoted(command.name));
    for (const auto& option : command.options) branch += option_specs(option, indent);
    for (const auto& positional : command.positionals) branch += positional_spec(positional, indent);
    branch.resize(branch.size() - std::string_view(" \\\n").size());
    return branch + "\n                    ;;\n";
}

std::string lab_option_of(const CommandLine& line) {
    for (const auto& command : line.commands) {
        for (const auto& option : command.options) {
            if (option.chooses_lab()) return option.names.back();
        }
    }
    return {};
}

}  // namespace

std::string zsh_script(const CommandLine& line) {
    std::string program;
    for (const auto& option : line.program.options) program += option_specs(option, "        ");
    std::string commands;
    std::string arguments;
    for (const auto& command : line.commands) {
        commands += fmt::format("                {}\n", quoted(escaped(command.name) + ":" + escaped(command.about)));
        arguments += branch_of(command);
    }
    std::string script = replaced(std::string(frame), "@LAB_OPTION@", lab_option_of(line));
    script = replaced(std::move(script), "@PROGRAM@", program);
    script = replaced(std::move(script), "@COMMANDS@", commands);
    return replaced(std::move(script), "@ARGUMENTS@", arguments);
}

}  // namespace rig::cli::completion
