// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/consoles.hpp"

#include "rig/target/text.hpp"

#include <algorithm>
#include <cctype>

namespace rig::target {

bool Console::serial() const {
    // tty0 to tty63 are the screen's; every UART's name has letters between tty and its number (ttyS, ttyAMA, ttymxc).
    constexpr std::string_view terminal = "tty";
    const bool screen = device.starts_with(terminal) && device.size() > terminal.size() &&
                        std::all_of(device.begin() + terminal.size(), device.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
    return !screen && (device.starts_with(terminal) || device.starts_with("hvc") || device.starts_with("uart") ||
                       device.starts_with("pl11"));
}

std::vector<Console> parse_consoles(std::string_view text) {
    text::Lines lines{text};
    std::string_view line;
    std::vector<Console> consoles;
    while (lines.next(line)) {
        const auto words = text::words_of(line);
        const auto open = line.find('(');
        const auto close = line.find(')', open == std::string_view::npos ? line.size() : open);
        if (words.empty() || close == std::string_view::npos) continue;
        Console console{.device = std::string(words.front()), .flags = {}};
        for (const char c : line.substr(open + 1, close - open - 1)) {
            if (c != ' ') console.flags += c;
        }
        consoles.push_back(std::move(console));
    }
    return consoles;
}

}  // namespace rig::target
