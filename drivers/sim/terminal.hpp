// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rig::sim {

/// The target's terminal in cooked mode: echo, Return, Backspace, Ctrl-U and Ctrl-C on the way in, CR LF on the way
/// out.
class Terminal {
public:
    enum class Echo { on, off };

    /// What a typed byte does.
    struct Reaction {
        std::string echo;                   ///< to print
        std::optional<std::string> line{};  ///< a finished line
        bool interrupted = false;           ///< Ctrl-C: the line is gone, a new prompt is due
    };
    Reaction type(char c);

    void set_echo(Echo echo) { echo_ = echo; }
    void reset();

    /// Program output as the terminal sends it.
    [[nodiscard]] static std::string cooked(std::string_view text);

private:
    [[nodiscard]] std::string echoed(std::string text) const;

    std::string line_;
    Echo echo_ = Echo::on;
};

}  // namespace rig::sim
