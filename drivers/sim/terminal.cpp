// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/terminal.hpp"

#include <utility>

namespace rig::sim {
namespace {

constexpr char ctrl_c = '\x03';
constexpr char backspace = '\x08';
constexpr char ctrl_u = '\x15';
constexpr char del = '\x7f';
constexpr std::string_view rub_out = "\b \b";

}  // namespace

Terminal::Reaction Terminal::type(char c) {
    switch (c) {
        case '\r':
        case '\n':
            return {.echo = echoed("\r\n"), .line = std::exchange(line_, {})};
        case ctrl_c:
            line_.clear();
            return {.echo = echoed("^C") + "\r\n", .line = {}, .interrupted = true};
        case backspace:
        case del:
            if (line_.empty()) return {};
            line_.pop_back();
            return {.echo = echoed(std::string(rub_out))};
        case ctrl_u: {
            std::string echo;
            for (std::size_t i = 0; i < line_.size(); ++i) echo += rub_out;
            line_.clear();
            return {.echo = echoed(std::move(echo))};
        }
        default:
            break;
    }
    line_ += c;
    return {.echo = echoed(std::string(1, c))};
}

void Terminal::reset() {
    line_.clear();
    echo_ = Echo::on;
}

std::string Terminal::cooked(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '\n') out += '\r';
        out += c;
    }
    return out;
}

std::string Terminal::echoed(std::string text) const {
    return echo_ == Echo::on ? std::move(text) : std::string{};
}

}  // namespace rig::sim
