// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/command_line.hpp"

#include <string_view>

#include <CLI/CLI.hpp>

namespace rig::cli::completion {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> words;
    while (true) {
        const auto at = text.find(separator);
        words.emplace_back(text.substr(0, at));
        if (at == std::string_view::npos) return words;
        text.remove_prefix(at + 1);
    }
}

Values values_of(const std::string& placeholder) {
    using Kind = Values::Kind;
    if (placeholder == placeholder::folder) return {Kind::folders, {}, {}};
    if (placeholder == placeholder::station) return {Kind::stations, {}, {}};
    if (placeholder.find('|') != std::string::npos) return {Kind::words, split(placeholder, '|'), {}};
    const auto dot = placeholder.rfind('.');
    if (dot != std::string::npos) return {Kind::files, {}, placeholder.substr(dot)};
    return {};
}

Argument::Arity arity_of(const CLI::Option& option) {
    const int most = option.get_items_expected_max();
    if (most == 0) return Argument::Arity::flag;
    return most == 1 ? Argument::Arity::one : Argument::Arity::many;
}

Argument argument_of(const CLI::Option& option) {
    Argument argument;
    for (const auto& name : option.get_snames()) argument.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) argument.names.push_back("--" + name);
    argument.about = option.get_description();
    argument.arity = arity_of(option);
    if (!argument.takes_value()) return argument;
    argument.placeholder = option.get_type_name();
    argument.values = values_of(argument.placeholder);
    return argument;
}

Command command_of(const CLI::App& app) {
    Command command{app.get_name(), app.get_description(), {}, {}};
    for (const auto* option : app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); })) {
        auto& list = option->get_positional() ? command.positionals : command.options;
        list.push_back(argument_of(*option));
    }
    return command;
}

}  // namespace

CommandLine command_line_of(const CLI::App& app) {
    CommandLine line{command_of(app), {}};
    for (const auto* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
        line.commands.push_back(command_of(*command));
    return line;
}

}  // namespace rig::cli::completion
