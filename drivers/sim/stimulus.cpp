// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/stimulus.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace rig::sim::stimulus {
namespace {

constexpr std::size_t sync_record = 274;
constexpr std::size_t longest_text = 900;
constexpr std::size_t longest_nonce = 16;
constexpr std::uint64_t most_records = 1000;
constexpr std::string_view line_ending = "\r\n";
constexpr std::string_view filler =
    "a record that keeps the console busy with words of no weight so that each of its characters takes its time on the "
    "wire and the cost of printing can be read from the line ";

std::string start_of(std::string_view nonce) {
    return fmt::format("test {} ", nonce);
}

bool is_nonce(std::string_view text) {
    return !text.empty() && text.size() <= longest_nonce &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
    return value;
}

bool set(Request& request, std::string_view key, std::string_view value) {
    if (key == "nonce") {
        if (!is_nonce(value)) return false;
        request.nonce = value;
        return true;
    }
    const auto number = number_of(value);
    if (!number) return false;
    if (key == "length") {
        request.length = number;
        return true;
    }
    request.count = *number;
    return key == "count" && *number >= 1 && *number <= most_records;
}

}  // namespace

std::optional<Request> parse(std::string_view text, std::string_view current_nonce) {
    Request request;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        const auto word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto equals = word.find('=');
        if (equals == std::string_view::npos || !set(request, word.substr(0, equals), word.substr(equals + 1)))
            return std::nullopt;
    }
    if (!request.length) return request.nonce ? std::optional(request) : std::nullopt;
    const auto shortest = start_of(request.nonce.value_or(std::string(current_nonce))).size();
    if (*request.length < shortest || *request.length > longest_text) return std::nullopt;
    return request;
}

std::string record_text(std::string_view nonce, std::size_t length) {
    std::string text = start_of(nonce);
    while (text.size() < length) text += filler;
    text.resize(length);
    // A blank at the end would be invisible in every log.
    if (text.back() == ' ') text.back() = '.';
    return text;
}

std::string sync_text(std::string_view nonce, std::size_t prefix) {
    return record_text(nonce, sync_record - prefix - line_ending.size());
}

std::string short_text(std::string_view nonce) {
    constexpr std::size_t length = 53;  // a record of 70 characters with an ordinary prefix
    std::string text = fmt::format("short {} so that one can see how much less it costs", nonce);
    text.resize(length, '.');
    return text;
}

}  // namespace rig::sim::stimulus
