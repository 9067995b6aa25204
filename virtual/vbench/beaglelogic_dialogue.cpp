// SPDX-License-Identifier: GPL-3.0-or-later
#include "beaglelogic_dialogue.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace vbench {

namespace {

constexpr std::size_t longest_line = 256;
constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

struct Setting {
    std::string_view name;
    std::uint32_t BeagleLogicSettings::* value;
    std::uint32_t least;
    std::uint32_t most;
};

constexpr std::array table{
    Setting{"samplerate", &BeagleLogicSettings::samplerate, BeagleLogicDialogue::slowest_rate,
            BeagleLogicDialogue::fastest_rate},
    Setting{"sampleunit", &BeagleLogicSettings::sampleunit, 0, 1},
    Setting{"memalloc", &BeagleLogicSettings::memalloc, 0, no_limit},
    Setting{"bufunitsize", &BeagleLogicSettings::bufunitsize, 0, no_limit},
    Setting{"triggerflags", &BeagleLogicSettings::triggerflags, 0, 1},
};

const Setting* find(std::string_view name) {
    const auto* const found = std::ranges::find(table, name, &Setting::name);
    return found == table.end() ? nullptr : found;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

BeagleLogicDialogue::Reply refusal(std::string_view why) {
    return {fmt::format("error: {}\n", why)};
}

}  // namespace

std::vector<BeagleLogicDialogue::Action> BeagleLogicDialogue::take(std::string_view bytes) {
    std::vector<Action> actions;
    for (const char byte : bytes) {
        if (byte == '\0' || byte == '\r') continue;
        if (byte != '\n') {
            line_.push_back(byte);
            if (line_.size() <= longest_line) continue;
            actions.emplace_back(HangUp{});
            return actions;
        }
        if (!line_.empty()) actions.push_back(answer(line_));
        line_.clear();
    }
    return actions;
}

BeagleLogicDialogue::Action BeagleLogicDialogue::answer(std::string_view line) {
    const std::size_t blank = line.find(' ');
    const std::string_view name = line.substr(0, blank);
    if (blank != std::string_view::npos) return set(name, line.substr(blank + 1));
    if (name == "version") return Reply{"BeagleLogic 1.0\n"};
    if (name == "get") return Start{};
    if (name == "close") return Stop{};
    const Setting* const setting = find(name);
    if (setting == nullptr) return refusal(fmt::format("no command '{}'", name));
    return Reply{fmt::format("{}\n", settings_.*(setting->value))};
}

BeagleLogicDialogue::Action BeagleLogicDialogue::set(std::string_view name, std::string_view value) {
    const Setting* const setting = find(name);
    if (setting == nullptr) return refusal(fmt::format("no setting '{}'", name));
    const auto wanted = number(value);
    if (!wanted || *wanted < setting->least || *wanted > setting->most) {
        return refusal(fmt::format("{} takes a number from {} to {}", name, setting->least, setting->most));
    }
    settings_.*(setting->value) = *wanted;
    return Reply{"ok\n"};
}

}  // namespace vbench
