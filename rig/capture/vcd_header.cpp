// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/vcd_header.hpp"

#include "rig/error.hpp"
#include "rig/time/sample_rate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace rig::capture {

namespace {

/// Far more than a rig looks at; a dump of a whole chip is to be narrowed where it is made.
constexpr std::size_t most_channels = 256UL * 1024;
constexpr std::size_t most_name_bytes = 64UL * 1024 * 1024;
constexpr std::size_t deepest_scope = 1024;
constexpr std::size_t longest_rate_word = 32;

constexpr const char* variable_hint = "it is: $var TYPE BITS IDENTIFIER NAME $end";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "10us" → 10^10; nothing when it is no unit of the standard.
std::optional<Femtoseconds> unit_of(std::string_view text) {
    constexpr std::array<std::string_view, 6> names{"fs", "ps", "ns", "us", "ms", "s"};
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view number = text.substr(0, digits);
    if (number != "1" && number != "10" && number != "100") return std::nullopt;
    Femtoseconds unit = number.size() == 1 ? 1 : number.size() == 2 ? 10 : 100;
    for (const std::string_view name : names) {
        if (name == text.substr(digits)) return unit;
        unit *= 1000;
    }
    return std::nullopt;
}

bool is_logic(std::string_view type) {
    return !type.starts_with("real") && type != "shortreal" && type != "string" && type != "event";
}

/// The bits that a reference such as "data[7:0]" names: data, and 7 down to 0.
struct Range {
    std::string_view base;
    std::int64_t left = 0;
    std::int64_t right = 0;
};

std::optional<Range> range_of(std::string_view reference) {
    const std::size_t open = reference.rfind('[');
    if (open == std::string_view::npos || !reference.ends_with(']')) return std::nullopt;
    const std::string_view inside = reference.substr(open + 1, reference.size() - open - 2);
    const std::size_t colon = inside.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto left = number_of<std::int32_t>(inside.substr(0, colon));
    const auto right = number_of<std::int32_t>(inside.substr(colon + 1));
    if (!left || !right) return std::nullopt;
    return Range{reference.substr(0, open), *left, *right};
}

std::size_t bits_of(const Range& range) {
    return static_cast<std::size_t>(std::max(range.left, range.right) - std::min(range.left, range.right)) + 1;
}

std::unordered_map<std::string, std::size_t> count_names(const std::vector<Channel>& channels) {
    std::unordered_map<std::string, std::size_t> counts;
    for (const Channel& channel : channels) ++counts[channel.name];
    return counts;
}

}  // namespace

struct VcdHeader::Variable {
    std::size_t signal = 0;
    std::size_t bits = 0;
    std::string reference;
};

void VcdHeader::take(std::string_view command, VcdWords& words) {
    if (command == "$timescale")
        take_timescale(words);
    else if (command == "$scope")
        take_scope(words);
    else if (command == "$upscope") {
        (void)words.up_to_end(command);
        scope_ = scopes_[scope_].parent;
    } else if (command == "$var")
        take_variable(words);
    else if (command == "$comment")
        take_comment(words);
    else
        while (words.next_before_end(command)) {
        }
}

void VcdHeader::take_timescale(VcdWords& words) {
    std::string text;
    for (const std::string& word : words.up_to_end("$timescale")) text += word;
    const auto unit = unit_of(text);
    if (!unit)
        words.fail(fmt::format("the $timescale {} is none", shown(text)),
                   "it is 1, 10 or 100 and s, ms, us, ns, ps or fs");
    unit_ = *unit;
}

void VcdHeader::take_scope(VcdWords& words) {
    auto text = words.up_to_end("$scope");
    if (scopes_.size() > most_channels)
        words.fail(fmt::format("there are more than {} scopes", most_channels), "dump fewer of them");
    const std::size_t depth = scopes_[scope_].depth + 1;
    if (depth > deepest_scope)
        words.fail(fmt::format("{} scopes lie within each other", depth), "their $upscope is missing");
    scopes_.push_back({scope_, depth, text.size() < 2 ? std::string() : std::move(text[1])});
    scope_ = scopes_.size() - 1;
}

void VcdHeader::take_variable(VcdWords& words) {
    const auto text = words.up_to_end("$var");
    if (text.size() < 4) words.fail("a $var has fewer than four words", variable_hint);
    const auto bits = number_of<std::uint32_t>(text[1]);
    if (!bits || *bits == 0) words.fail(fmt::format("a $var cannot have {} bits", shown(text[1])), variable_hint);
    if (++variables_ > most_channels)
        words.fail(fmt::format("there are more than {} variables", most_channels), "dump fewer scopes");
    Variable variable{signals_.try_emplace(text[2], signals_.size()).first->second, *bits, text[3]};
    for (std::size_t i = 4; i < text.size(); ++i) variable.reference += text[i];
    if (is_logic(text[0])) add(variable, words);
}

void VcdHeader::add(const Variable& variable, VcdWords& words) {
    if (variable.bits > most_channels - channels_.size())
        words.fail(fmt::format("there are more than {} bits in all variables together", most_channels),
                   "dump fewer scopes");
    const auto place = [&](std::size_t bit, std::string name) {
        channels_.push_back({std::move(name), static_cast<unsigned>(channels_.size())});
        places_.push_back({variable.signal, bit, scope_});
    };
    auto range = range_of(variable.reference);
    if (!range || bits_of(*range) != variable.bits) {
        if (variable.bits == 1) return place(0, variable.reference);
        range = Range{range ? range->base : variable.reference, static_cast<std::int64_t>(variable.bits) - 1, 0};
    }
    const std::int64_t step = range->left > range->right ? -1 : 1;
    name_bytes_ += range->base.size() * variable.bits;
    if (name_bytes_ > most_name_bytes)
        words.fail("the names of all bits take more than 64 MiB", "dump fewer scopes, or shorter names");
    std::int64_t index = range->left;
    for (std::size_t bit = variable.bits; bit-- > 0; index += step)
        place(bit, fmt::format("{}[{}]", range->base, index));
}

void VcdHeader::take_comment(VcdWords& words) {
    // "Acquisition with 8/8 channels at 1 MHz"
    std::array<std::string, 3> before;
    while (const auto word = words.next_before_end("$comment")) {
        std::string now(word->substr(0, longest_rate_word));
        if (before[0] == "channels" && before[1] == "at")
            if (const auto rate = parse_rate(before[2] + " " + now)) stated_rate_ = rate;
        before = {std::move(before[1]), std::move(before[2]), std::move(now)};
    }
}

std::optional<std::size_t> VcdHeader::signal(std::string_view id) const {
    const auto found = signals_.find(id);
    if (found == signals_.end()) return std::nullopt;
    return found->second;
}

std::string VcdHeader::path_of(std::size_t scope) const {
    std::vector<std::size_t> path;
    for (; scope != 0; scope = scopes_[scope].parent) path.push_back(scope);
    std::string text;
    for (; !path.empty(); path.pop_back()) text += scopes_[path.back()].name + ".";
    return text;
}

void VcdHeader::finish(const std::filesystem::path& path) {
    const auto shared = count_names(channels_);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        Channel& channel = channels_[i];
        if (shared.at(channel.name) > 1) channel.name.insert(0, path_of(places_[i].scope));
        bytes += channel.name.size();
        if (bytes > most_name_bytes)
            throw PlanError(fmt::format("{}: the names of all bits take more than 64 MiB", path.string()),
                            "dump fewer scopes, or shorter names");
    }
    // What is declared twice in one scope.
    std::unordered_map<std::string, std::size_t> met;
    for (Channel& channel : channels_)
        if (const std::size_t count = ++met[channel.name]; count > 1) channel.name += fmt::format("#{}", count);
}

}  // namespace rig::capture
