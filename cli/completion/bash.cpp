// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/script.hpp"

#include <fmt/format.h>

namespace rig::cli::completion {
namespace {

constexpr std::string_view frame = R"bash(# bash completion of rig, made by: rig completion bash
_rig_words() {
    local current=$1 word
    shift
    for word; do
        [[ $word != "$current"* ]] || COMPREPLY+=("$word")
    done
}
_rig_files() {
    compopt -o filenames -o plusdirs
    mapfile -t COMPREPLY < <(compgen -f -X "!*$2" -- "$1")
}
_rig_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
}
_rig_stations() {
    local current=$1 lab=${2//[\"\'\\]/} program=${COMP_WORDS[0]/#\~/$HOME} word
    while IFS= read -r word; do
        [[ $word != "$current"* ]] || COMPREPLY+=("$(printf %q "$word")")
    done < <("$program" completion --stations "${lab/#\~/$HOME}" 2>/dev/null)
}
_rig_takes_value() {
    case $1 in
@TAKES_VALUE@        *) return 1 ;;
    esac
}
_rig_chooses_lab() {
    case $1 in
@CHOOSES_LAB@        *) return 1 ;;
    esac
}
_rig_value() {
    case $1 in
@VALUES@    esac
}
_rig_options() {
    case $2 in
@OPTIONS@    esac
}
_rig() {
    local current=${COMP_WORDS[COMP_CWORD]} command='' option='' lab='' rest='' place=1 word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        # bash takes a word apart at = and : before it hands it over.
        if [[ $word == [=:]* ]]; then
            [[ $option ]] || rest=yes
        elif [[ $rest ]]; then
            rest=''
        elif [[ $option ]]; then
            if _rig_chooses_lab "$command $option"; then lab=$word; fi
            option=''
        elif [[ $word == -* ]]; then
            if _rig_takes_value "$command $word"; then option=$word; fi
        elif [[ -z $command ]]; then
            command=$word
        else
            place=$((place + 1))
        fi
    done
    if [[ $current == [=:]* ]]; then
        [[ $option ]] || return 0
        current=''
    fi
    if [[ $rest ]]; then
        return 0
    elif [[ $option ]]; then
        _rig_value "$command $option" "$current" "$lab"
    elif [[ $current == -* ]]; then
        _rig_options "$current" "$command"
    elif [[ -z $command ]]; then
        _rig_words "$current" @COMMANDS@
    else
        _rig_value "$command $place" "$current" "$lab"
    fi
    return 0
}
complete -F _rig rig
)bash";

std::string quoted(std::string_view text) {
    return "'" + replaced(std::string(text), "'", R"('\'')") + "'";
}

std::string list_of(const std::vector<std::string>& words) {
    std::string list;
    for (const auto& word : words) list += (list.empty() ? "" : " ") + quoted(word);
    return list;
}

/// Patterns of a `case`: the command and each name of the option, or the place of a positional argument.
std::string pattern_of(const Command& command, const std::vector<std::string>& names) {
    std::string pattern;
    for (const auto& name : names) pattern += (pattern.empty() ? "" : " | ") + quoted(command.name + " " + name);
    return pattern;
}

std::string completer_of(const Values& values) {
    switch (values.kind) {
        case Values::Kind::words:
            return "_rig_words \"$2\" " + list_of(values.words);
        case Values::Kind::files:
            return "_rig_files \"$2\" " + quoted(values.suffix);
        case Values::Kind::folders:
            return "_rig_folders \"$2\"";
        case Values::Kind::stations:
            return "_rig_stations \"$2\" \"$3\"";
        case Values::Kind::unknown:
            break;
    }
    return {};
}

std::string branch(const std::string& pattern, const std::string& action) {
    return action.empty() ? action : fmt::format("        {}) {} ;;\n", pattern, action);
}

/// The branches of the script's `case` statements.
struct Tables {
    std::string takes_value;
    std::string chooses_lab;
    std::string values;
    std::string options;

    void add(const Command& command) {
        std::vector<std::string> names;
        for (const auto& option : command.options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            const auto pattern = pattern_of(command, option.names);
            if (option.takes_value()) takes_value += branch(pattern, "return 0");
            if (option.chooses_lab()) chooses_lab += branch(pattern, "return 0");
            values += branch(pattern, completer_of(option.values));
        }
        for (std::size_t i = 0; i < command.positionals.size(); ++i)
            values += branch(pattern_of(command, {std::to_string(i + 1)}), completer_of(command.positionals[i].values));
        options += branch(quoted(command.name), "_rig_words \"$1\" " + list_of(names));
    }
};

}  // namespace

std::string bash_script(const CommandLine& line) {
    Tables tables;
    Command program = line.program;
    program.name.clear();  // no command on the line yet
    tables.add(program);
    std::vector<std::string> commands;
    for (const auto& command : line.commands) {
        tables.add(command);
        commands.push_back(command.name);
    }
    std::string script = replaced(std::string(frame), "@TAKES_VALUE@", tables.takes_value);
    script = replaced(std::move(script), "@CHOOSES_LAB@", tables.chooses_lab);
    script = replaced(std::move(script), "@VALUES@", tables.values);
    script = replaced(std::move(script), "@OPTIONS@", tables.options);
    return replaced(std::move(script), "@COMMANDS@", list_of(commands));
}

}  // namespace rig::cli::completion
