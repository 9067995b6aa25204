// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/capture/line_reader.hpp"
#include "rig/wire/edges.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::capture {

/// The words of a Value Change Dump, between blanks and ends of lines.
class VcdWords {
public:
    explicit VcdWords(LineReader& lines) : lines_(lines) {}

    /// The next word; nothing at the end of the file. Gone with the next line's first word.
    std::optional<std::string_view> next();
    /// The next word of the same line.
    std::optional<std::string_view> next_on_line();

    /// The words up to $end of a command that was met; an error when they are too many or the file ends.
    std::vector<std::string> up_to_end(std::string_view command);
    /// The next word of the text of a command; nothing at its $end. An error when the file ends.
    std::optional<std::string_view> next_before_end(std::string_view command);

    /// A PlanError about the place of a word.
    [[noreturn]] void fail_at(std::string_view word, const std::string& what, const std::string& hint) const {
        lines_.fail_at(word, what, hint);
    }
    /// A PlanError about the line.
    [[noreturn]] void fail(const std::string& what, const std::string& hint) const { lines_.fail(what, hint); }

private:
    LineReader& lines_;
    std::string_view rest_;
};

/// Takes what a Value Change Dump says, in its order. Views are gone when the call returns.
class VcdVisitor {
public:
    virtual ~VcdVisitor() = default;

    /// A command with text, such as "$var"; takes its words up to $end.
    virtual void command(std::string_view name, VcdWords& words) = 0;
    /// A time, in units of $timescale; never less than the one before.
    virtual void time(std::uint64_t at) = 0;
    /// A logic value, its leftmost digit the highest, of what has this identifier. False when nothing has it.
    [[nodiscard]] virtual bool value(std::string_view id, std::string_view digits) = 0;
};

/// Reads a dump to its end.
void visit_vcd(LineReader& lines, VcdVisitor& visitor);

/// The level of a digit of a value; nothing for x, z and what else is neither high nor low.
std::optional<wire::Level> vcd_level(char digit);

/// Digit number `bit`, from the right, of a value that may be shorter than its variable.
char vcd_digit(std::string_view digits, std::size_t bit);

}  // namespace rig::capture
