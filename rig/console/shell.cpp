// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/shell.hpp"

#include "rig/error.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace rig::console {
namespace {

/// What the shell prints for `echo "@B""tag@"`: the two quotes keep the marker out of the command's own echo.
std::string begin_marker(std::string_view tag) {
    return fmt::format("@B{}@", tag);
}
std::string end_marker(std::string_view tag) {
    return fmt::format("@E{}:", tag);
}

constexpr std::size_t md5_digits = 32;

bool is_md5_digest(std::string_view text) {
    return text.size() == md5_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string unix_lines(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        out += text[i];
    }
    return out;
}

template <class T>
std::optional<T> take_number(std::string_view& text) {
    T value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    return value;
}

}  // namespace

std::string frame_command(std::string_view command, std::string_view tag) {
    // Behind a command for the background a semicolon would be a syntax error.
    const auto end = command.find_last_not_of(' ');
    const bool background = end != std::string_view::npos && command[end] == '&';
    return fmt::format("echo \"@B\"\"{0}@\"; {1}{2} echo \"@E\"\"{0}:$?@\"", tag, command, background ? "" : ";");
}

std::string frame_output(std::string_view command, std::string_view tag) {
    return fmt::format(
        "{1} >/tmp/rig.out; s=$?; echo \"@B\"\"{0}@\"; cat /tmp/rig.out; "
        "echo \"@E\"\"{0}:$s:$(md5sum </tmp/rig.out 2>/dev/null)@\"",
        tag, command);
}

std::optional<bool> Reply::intact() const {
    if (digest.empty()) return std::nullopt;
    return digest == md5_digest(output);
}

std::optional<Reply> find_reply(std::string_view bytes, std::string_view tag) {
    const std::string begin = begin_marker(tag);
    const std::string end = end_marker(tag);
    const auto begin_at = bytes.find(begin);
    if (begin_at == std::string_view::npos) return std::nullopt;
    auto output_at = begin_at + begin.size();
    for (const char ending : {'\r', '\n'}) {
        if (output_at < bytes.size() && bytes[output_at] == ending) ++output_at;
    }
    const auto end_at = bytes.find(end, output_at);
    const auto close = bytes.find('@', end_at == std::string_view::npos ? end_at : end_at + end.size());
    if (end_at == std::string_view::npos || close == std::string_view::npos) return std::nullopt;

    Reply reply;
    reply.output = unix_lines(bytes.substr(output_at, end_at - output_at));
    auto fields = bytes.substr(end_at + end.size(), close - end_at - end.size());
    const auto exit_code = take_number<int>(fields);
    if (!exit_code) return std::nullopt;
    reply.exit_code = *exit_code;
    if (fields.starts_with(':')) {
        fields.remove_prefix(1);
        if (is_md5_digest(fields.substr(0, md5_digits))) reply.digest = fields.substr(0, md5_digits);
    }
    reply.end = close + 1;
    return reply;
}

bool echoes(std::string_view echo, std::string_view typed) {
    std::size_t matched = 0;
    for (const char c : echo) {
        if (matched < typed.size() && c == typed[matched]) ++matched;
    }
    return matched == typed.size();
}

std::string md5_digest(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr) != 1)
        throw RigError("OpenSSL computes no MD5");
    return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
}

}  // namespace rig::console
