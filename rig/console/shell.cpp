// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/shell.hpp"

#include <openssl/evp.h>

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace rig::console {
namespace {

/// What the shell prints for `echo "@B""tag@"`: the two quotes keep the marker out of the command's own echo.
std::string begin_marker(std::string_view tag) { return fmt::format("@B{}@", tag); }
std::string end_marker(std::string_view tag) { return fmt::format("@E{}:", tag); }

constexpr std::size_t md5_digits = 32;

bool is_md5_digest(std::string_view text) {
    return text.size() == md5_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string md5_digest(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr) != 1) return {};
    return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
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
    return fmt::format("echo \"@B\"\"{0}@\"; {1}; echo \"@E\"\"{0}:$?@\"", tag, command);
}

std::string frame_file(std::string_view path, std::string_view tag) {
    return fmt::format(
        "cat {1} >/tmp/r; s=$?; echo \"@B\"\"{0}@\"; cat /tmp/r; "
        "echo \"@E\"\"{0}:$s:$( (cksum </tmp/r || md5sum </tmp/r) 2>/dev/null)@\"",
        tag, path);
}

bool Reply::intact() const {
    if (!digest.empty()) return digest == md5_digest(output);
    if (size && *size != output.size()) return false;
    return !checksum || *checksum == posix_checksum(output);
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
        if (is_md5_digest(fields.substr(0, md5_digits))) {
            reply.digest = fields.substr(0, md5_digits);
            fields.remove_prefix(md5_digits);
        }
        reply.checksum = take_number<std::uint32_t>(fields);
        if (fields.starts_with(' ')) fields.remove_prefix(1);
        reply.size = take_number<std::size_t>(fields);
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

std::uint32_t posix_checksum(std::string_view bytes) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> entries{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t crc = i << 24U;
            for (int bit = 0; bit < 8; ++bit) crc = (crc << 1U) ^ ((crc & 0x80000000U) != 0 ? 0x04c11db7U : 0U);
            entries[i] = crc;
        }
        return entries;
    }();
    std::uint32_t crc = 0;
    const auto add = [&crc](std::uint8_t byte) { crc = (crc << 8U) ^ table[(crc >> 24U) ^ byte]; };
    for (const char c : bytes) add(static_cast<std::uint8_t>(c));
    for (std::size_t length = bytes.size(); length != 0; length >>= 8U) add(static_cast<std::uint8_t>(length & 0xffU));
    return ~crc;
}

}  // namespace rig::console
