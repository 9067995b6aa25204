// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/shell_syntax.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace rig::sim::syntax {
namespace {

bool is_name_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name_start(char c) {
    return is_name_char(c) && std::isdigit(static_cast<unsigned char>(c)) == 0;
}
bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
bool ends_word(char c) {
    return is_blank(c) || std::string_view(";&|<>()\n").contains(c);
}

/// Thrown inside the parser only; `parse` turns it into its unexpected value.
struct SyntaxError {
    std::string what;
};

class Parser {
public:
    explicit Parser(std::string_view line) : line_(line) {}

    std::vector<Command> commands() {
        std::vector<Command> list;
        auto when = Command::When::always;
        while (true) {
            skip_blanks();
            if (at_end()) {
                if (when != Command::When::always) throw SyntaxError{"syntax error: unexpected end of line"};
                return list;
            }
            list.push_back(command(when));
            when = connector();
        }
    }

private:
    [[nodiscard]] bool at_end() const { return at_ >= line_.size() || (line_[at_] == '#' && at_word_start_); }
    [[nodiscard]] char peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }
    bool take(std::string_view text) {
        if (!line_.substr(at_).starts_with(text)) return false;
        at_ += text.size();
        return true;
    }
    void skip_blanks() {
        while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
        at_word_start_ = true;
    }
    [[noreturn]] void unexpected() const {
        throw SyntaxError{std::string("syntax error: unexpected \"") + peek() + '"'};
    }

    Command::When connector() {
        skip_blanks();
        if (at_end() || take(";") || take("\n")) return Command::When::always;
        if (take("&&")) return Command::When::after_success;
        if (take("||")) return Command::When::after_failure;
        if (take("|")) return Command::When::on_its_output;
        unexpected();
    }

    Command command(Command::When when) {
        Command result{.when = when, .assignments = {}, .words = {}, .redirections = {}};
        while (true) {
            skip_blanks();
            if (at_end()) break;
            if (auto found = redirection()) {
                result.redirections.push_back(std::move(*found));
            } else if (ends_word(peek())) {
                break;
            } else if (auto name = result.words.empty() ? assigned_name() : std::nullopt) {
                result.assignments.push_back({std::move(*name), word()});
            } else {
                result.words.push_back(word());
            }
        }
        if (result.words.empty() && result.assignments.empty() && result.redirections.empty()) unexpected();
        return result;
    }

    std::optional<std::string> assigned_name() {
        auto end = at_;
        if (!is_name_start(peek())) return std::nullopt;
        while (end < line_.size() && is_name_char(line_[end])) ++end;
        if (end >= line_.size() || line_[end] != '=') return std::nullopt;
        std::string name(line_.substr(at_, end - at_));
        at_ = end + 1;
        return name;
    }

    std::optional<Redirection> redirection() {
        const auto start = at_;
        int from = -1;
        if (peek() >= '0' && peek() <= '2') from = line_[at_++] - '0';
        auto kind = Redirection::Kind::read;
        if (take("<")) {
            if (from < 0) from = 0;
        } else if (take(">>")) {
            kind = Redirection::Kind::append;
        } else if (take(">&")) {
            kind = Redirection::Kind::join;
        } else if (take(">")) {
            kind = Redirection::Kind::write;
        } else {
            at_ = start;
            return std::nullopt;
        }
        if (from < 0) from = 1;
        skip_blanks();
        if (at_end() || ends_word(peek())) throw SyntaxError{"syntax error: unexpected redirection"};
        return Redirection{kind, from, word()};
    }

    Word word() {
        Word result;
        while (at_ < line_.size() && !ends_word(peek())) {
            at_word_start_ = false;
            const char c = peek();
            if (c == '\'') {
                add_text(result, single_quoted(), true);
            } else if (c == '"') {
                double_quoted(result);
            } else if (c == '\\' && at_ + 1 < line_.size()) {
                add_text(result, std::string(1, line_[at_ + 1]), true);
                at_ += 2;
            } else if (c == '$') {
                result.pieces.push_back(expansion(false));
            } else {
                add_text(result, std::string(1, c), false);
                ++at_;
            }
        }
        return result;
    }

    static void add_text(Word& word, std::string text, bool quoted) {
        if (!word.pieces.empty() && word.pieces.back().kind == Piece::Kind::text &&
            word.pieces.back().quoted == quoted) {
            word.pieces.back().value += text;
            return;
        }
        word.pieces.push_back({Piece::Kind::text, std::move(text), quoted});
    }

    std::string single_quoted() {
        const auto end = line_.find('\'', at_ + 1);
        if (end == std::string_view::npos) throw SyntaxError{"syntax error: unterminated quoted string"};
        std::string text(line_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return text;
    }

    void double_quoted(Word& result) {
        ++at_;
        add_text(result, "", true);
        while (peek() != '"') {
            if (at_ >= line_.size()) throw SyntaxError{"syntax error: unterminated quoted string"};
            if (peek() == '$') {
                result.pieces.push_back(expansion(true));
            } else {
                if (peek() == '\\' && at_ + 1 < line_.size() && std::string_view("\"\\$`").contains(line_[at_ + 1]))
                    ++at_;
                add_text(result, std::string(1, line_[at_++]), true);
            }
        }
        ++at_;
    }

    Piece expansion(bool quoted) {
        ++at_;
        if (take("?")) return {Piece::Kind::variable, "?", quoted};
        if (take("(")) return {Piece::Kind::command, substituted_line(), quoted};
        const bool braced = take("{");
        const auto start = at_;
        while (is_name_char(peek())) ++at_;
        std::string name(line_.substr(start, at_ - start));
        if (braced && !take("}")) throw SyntaxError{"syntax error: bad substitution"};
        if (name.empty()) return {Piece::Kind::text, "$", quoted};
        return {Piece::Kind::variable, std::move(name), quoted};
    }

    std::string substituted_line() {
        const auto start = at_;
        for (unsigned depth = 1; at_ < line_.size(); ++at_) {
            if (peek() == '\'') at_ = std::min(line_.find('\'', at_ + 1), line_.size() - 1);
            if (peek() == '(') ++depth;
            if (peek() == ')' && --depth == 0) return std::string(line_.substr(start, at_++ - start));
        }
        throw SyntaxError{"syntax error: unterminated $("};
    }

    std::string_view line_;
    std::size_t at_ = 0;
    bool at_word_start_ = true;
};

}  // namespace

std::expected<std::vector<Command>, std::string> parse(std::string_view line) {
    try {
        return Parser(line).commands();
    } catch (const SyntaxError& error) {
        return std::unexpected(error.what);
    }
}

}  // namespace rig::sim::syntax
