// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/shell.hpp"

#include "rig/console/shell.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rig::sim {
namespace {

constexpr int not_found = 127;
constexpr int syntax_failure = 2;

ProgramResult failed(std::string words) {
    return {.status = 1, .output = {}, .errors = std::move(words) + "\n"};
}

ProgramResult run_echo(std::span<const std::string> words) {
    const bool bare = words.size() > 1 && words[1] == "-n";
    const auto text = fmt::format("{}{}", fmt::join(words.subspan(bare ? 2 : 1), " "), bare ? "" : "\n");
    return {.status = 0, .output = text, .errors = {}};
}

/// printf with one number: `%0Nd` is padded with zeros to N characters, `\\n` ends a line.
ProgramResult run_printf(std::span<const std::string> words) {
    if (words.size() < 2) return failed("sh: usage: printf FORMAT [ARGUMENT]");
    std::string text;
    const std::string_view format = words[1];
    for (std::size_t at = 0; at < format.size(); ++at) {
        const auto rest = format.substr(at);
        const auto end = rest.find('d');
        if (rest.starts_with("\\n")) {
            text += '\n';
            ++at;
        } else if (rest.starts_with("%0") && end != std::string_view::npos) {
            unsigned width = 0;
            std::from_chars(rest.data() + 2, rest.data() + end, width);
            text += fmt::format("{:0>{}}", words.size() > 2 ? words[2] : "0", width);
            at += end;
        } else {
            text += rest.front();
        }
    }
    return {.status = 0, .output = text, .errors = {}};
}

ProgramResult run_md5sum(std::string_view input) {
    return {.status = 0, .output = console::md5_digest(input) + "  -\n", .errors = {}};
}

}  // namespace

std::string_view text_of(FileError error) {
    switch (error) {
        case FileError::missing:
            return "No such file or directory";
        case FileError::no_folder:
            return "nonexistent directory";
        case FileError::denied:
            return "Permission denied";
        case FileError::invalid:
            return "Invalid argument";
    }
    return "Input/output error";
}

/// Where a command's input comes from and its output goes.
struct Shell::Streams {
    struct File {
        std::string path;
        WriteMode mode;
    };
    std::optional<std::string> input;
    std::optional<File> output;
    std::optional<File> errors;
    bool errors_join_output = false;
};

void Shell::run(std::string_view line) {
    const auto commands = syntax::parse(line);
    if (!commands) {
        machine_->print(fmt::format("sh: {}\n", commands.error()));
        status_ = syntax_failure;
        return;
    }
    run_list(*commands, nullptr);
}

void Shell::run_list(std::span<const syntax::Command> commands, std::string* captured) {
    using When = syntax::Command::When;
    std::optional<std::string> piped;  // what the command before wrote into its pipe
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const auto& command = commands[i];
        if (machine_->dead()) return;
        const bool of_skipped = command.when == When::on_its_output && !piped;
        if (command.when == When::after_success && status_ != 0) continue;
        if ((command.when == When::after_failure && status_ == 0) || of_skipped) continue;
        machine_->begin_command();
        const bool pipes = i + 1 < commands.size() && commands[i + 1].when == When::on_its_output;
        std::string output;
        run_command(command, std::exchange(piped, std::nullopt), pipes ? &output : captured);
        if (pipes) piped = std::move(output);
    }
}

void Shell::run_command(const syntax::Command& command, std::optional<std::string> input, std::string* captured) {
    std::vector<std::string> words;
    for (const auto& word : command.words) std::ranges::move(expand(word), std::back_inserter(words));
    if (words.empty()) {
        // `s=$(false)` leaves the status of its command substitution, `s=x` leaves 0.
        const bool substitutes = std::ranges::any_of(command.assignments, [](const auto& assignment) {
            return std::ranges::any_of(assignment.value.pieces, [](const syntax::Piece& piece) {
                return piece.kind == syntax::Piece::Kind::command;
            });
        });
        for (const auto& [name, value] : command.assignments) variables_[name] = expand_to_one(value);
        if (!substitutes) status_ = 0;
    }
    Streams streams{.input = std::move(input), .output = {}, .errors = {}};
    if (auto failure = open_streams(command, streams)) {
        flush({}, std::move(*failure), captured);
        return;
    }
    if (words.empty()) {
        if (!command.redirections.empty()) flush(streams, {}, captured);
        return;
    }
    auto result = run_program(words, streams);
    if (!machine_->dead()) flush(streams, std::move(result), captured);
}

std::optional<ProgramResult> Shell::open_streams(const syntax::Command& command, Streams& streams) {
    using Kind = syntax::Redirection::Kind;
    for (const auto& redirection : command.redirections) {
        const auto path = expand_to_one(redirection.target);
        if (redirection.kind == Kind::join) {
            streams.errors_join_output = redirection.from == 2 && path == "1";
        } else if (redirection.kind == Kind::read) {
            auto content = machine_->read_file(path);
            if (!content) return failed(fmt::format("sh: can't open {}: {}", path, text_of(content.error())));
            streams.input = std::move(*content);
        } else {
            if (const auto error = machine_->refuses_write(path))
                return failed(fmt::format("sh: can't create {}: {}", path, text_of(*error)));
            const auto mode = redirection.kind == Kind::append ? WriteMode::append : WriteMode::replace;
            (redirection.from == 2 ? streams.errors : streams.output) = Streams::File{path, mode};
        }
    }
    return std::nullopt;
}

void Shell::flush(const Streams& streams, ProgramResult result, std::string* captured) {
    status_ = result.status;
    if (streams.errors_join_output) result.output += std::exchange(result.errors, {});
    if (streams.output) {
        if (const auto error = machine_->write_file(streams.output->path, result.output, streams.output->mode)) {
            status_ = 1;
            result.errors += fmt::format("sh: write error: {}\n", text_of(*error));
        }
    } else if (captured != nullptr) {
        *captured += result.output;
    } else if (!result.output.empty()) {
        machine_->print(result.output);
    }
    if (result.errors.empty() || machine_->dead()) return;
    if (streams.errors) {
        machine_->write_file(streams.errors->path, result.errors, streams.errors->mode);
    } else {
        machine_->print(result.errors);
    }
}

ProgramResult Shell::run_program(std::span<const std::string> words, const Streams& streams) {
    const auto& name = words.front();
    if (name == "echo") return run_echo(words);
    if (name == "eval") {
        run(fmt::format("{}", fmt::join(words.subspan(1), " ")));
        return {.status = status_, .output = {}, .errors = {}};
    }
    if (name == "printf") return run_printf(words);
    if (name == "cat") return run_cat(words, streams);
    if (name == "grep") return run_grep(words, streams);
    if (name == "md5sum" && machine_->has_checksum()) return run_md5sum(streams.input.value_or(""));
    if (name == "test" || name == "[") return run_test(words);
    if (name == "true" || name == ":") return {};
    if (name == "false") return {.status = 1, .output = {}, .errors = {}};
    if (auto result = machine_->execute(words)) return std::move(*result);
    return {.status = not_found, .output = {}, .errors = fmt::format("sh: {}: not found\n", name)};
}

ProgramResult Shell::run_cat(std::span<const std::string> words, const Streams& streams) {
    ProgramResult result;
    if (words.size() == 1) result.output = streams.input.value_or("");
    for (const auto& path : words.subspan(1)) {
        const auto content = machine_->read_file(path);
        if (content) {
            result.output += *content;
        } else {
            result.status = 1;
            result.errors += fmt::format("cat: can't open '{}': {}\n", path, text_of(content.error()));
        }
    }
    return result;
}

/// Patterns are words that stand anywhere in a line, or at its start behind a `^`.
ProgramResult Shell::run_grep(std::span<const std::string> words, const Streams& streams) {
    std::vector<std::string> patterns;
    std::string text = streams.input.value_or("");
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "-e" && i + 1 < words.size()) {
            patterns.push_back(words[++i]);
        } else if (words[i] == "-E" || words[i] == "-h") {
            continue;
        } else if (patterns.empty()) {
            patterns.push_back(words[i]);
        } else {
            const auto content = machine_->read_file(words[i]);
            if (!content)
                return {.status = 2,
                        .output = {},
                        .errors = fmt::format("grep: {}: {}\n", words[i], text_of(content.error()))};
            text += *content;
        }
    }
    ProgramResult result{.status = 1, .output = {}, .errors = {}};
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        const bool matches = std::ranges::any_of(patterns, [line](const std::string& pattern) {
            return pattern.starts_with('^') ? line.starts_with(std::string_view(pattern).substr(1))
                                            : line.contains(pattern);
        });
        if (!matches) continue;
        result.status = 0;
        result.output += fmt::format("{}\n", line);
    }
    return result;
}

ProgramResult Shell::run_test(std::span<const std::string> words) {
    if (words.front() == "[" && words.back() == "]") words = words.first(words.size() - 1);
    if (words.size() != 3 || words[1].size() != 2)
        return failed("sh: test: only -e, -f, -r and -w are known to the sim");
    bool holds = false;
    switch (words[1][1]) {
        case 'e':
        case 'f':
        case 'r':
            holds = machine_->read_file(words[2]).has_value();
            break;
        case 'w':
            holds = !machine_->refuses_write(words[2]);
            break;
        default:
            return failed("sh: test: only -e, -f, -r and -w are known to the sim");
    }
    return {.status = holds ? 0 : 1, .output = {}, .errors = {}};
}

std::vector<std::string> Shell::expand(const syntax::Word& word) {
    std::vector<std::string> fields;
    bool open = false;  // whether the last field may still grow
    const auto grow = [&fields, &open](std::string_view text) {
        if (!open) fields.emplace_back();
        open = true;
        fields.back() += text;
    };
    for (const auto& piece : word.pieces) {
        const auto value = value_of(piece);
        if (piece.quoted || piece.kind == syntax::Piece::Kind::text) {
            grow(value);
            continue;
        }
        for (const char c : value) {
            if (c == ' ' || c == '\t' || c == '\n') {
                open = false;
            } else {
                grow({&c, 1});
            }
        }
    }
    return fields;
}

std::string Shell::expand_to_one(const syntax::Word& word) {
    std::string text;
    for (const auto& piece : word.pieces) text += value_of(piece);
    return text;
}

std::string Shell::value_of(const syntax::Piece& piece) {
    switch (piece.kind) {
        case syntax::Piece::Kind::text:
            return piece.value;
        case syntax::Piece::Kind::command:
            return substitute(piece.value);
        case syntax::Piece::Kind::variable:
            break;
    }
    if (piece.value == "?") return fmt::format("{}", status_);
    const auto found = variables_.find(piece.value);
    return found == variables_.end() ? std::string{} : found->second;
}

std::string Shell::substitute(std::string_view line) {
    // A subshell: what it assigns stays in it.
    Shell inner(*this);
    std::string output;
    const auto commands = syntax::parse(line);
    if (!commands) {
        machine_->print(fmt::format("sh: {}\n", commands.error()));
        status_ = syntax_failure;
        return {};
    }
    inner.run_list(*commands, &output);
    status_ = inner.status_;
    while (output.ends_with('\n')) output.pop_back();
    return output;
}

}  // namespace rig::sim
