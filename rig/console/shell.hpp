// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The dialogue with a shell on the console, as text in and text out: no device, no time. A command is framed by two
/// markers that its own echo does not contain, so neither the echo nor kernel lines can be taken for its output.
namespace rig::console {

/// The line to type for `command`, its output framed by `tag` (letters and digits, new for each command).
std::string frame_command(std::string_view command, std::string_view tag);

/// The line to type that runs `command` once and prints what it wrote (kept in a file on the target, so that its
/// checksum is of the same bytes), framed by `tag` and followed by its md5sum where the target has that command (every
/// busybox has it; Debian's static one has no cksum).
std::string frame_output(std::string_view command, std::string_view tag);

/// The command that prints once more what frame_output's command wrote.
inline constexpr std::string_view print_kept_output = "cat /tmp/rig.out";

/// What came back between the markers.
struct Reply {
    std::string output;  ///< with \n line endings
    int exit_code = 0;
    std::string digest;   ///< MD5 in hexadecimal as the target computed it; empty when it has none
    std::size_t end = 0;  ///< offset behind the reply in the bytes searched

    /// Whether the output is the very bytes that the target read; nothing when it can compute no checksum.
    [[nodiscard]] std::optional<bool> intact() const;
};

/// The reply framed by `tag`, when both of its markers are complete in `bytes`.
std::optional<Reply> find_reply(std::string_view bytes, std::string_view tag);

/// Whether `echo` holds the typed text: in order, other bytes (kernel lines, terminal escapes) may stand between.
bool echoes(std::string_view echo, std::string_view typed);

/// What md5sum(1) prints for these bytes, in hexadecimal.
std::string md5_digest(std::string_view bytes);

}  // namespace rig::console
