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

/// The line to type that prints the file `path` (taken once into a copy on the target, so that its checksum is of the
/// same bytes), framed by `tag` and followed by its md5sum (which every
/// busybox has; Debian's static one has no cksum).
std::string frame_file(std::string_view path, std::string_view tag);

/// What came back between the markers.
struct Reply {
    std::string output;  ///< with \n line endings
    int exit_code = 0;
    std::string digest;   ///< MD5 in hexadecimal as the target computed it; empty when it has none
    std::size_t end = 0;  ///< offset behind the reply in the bytes searched

    /// Whether the output is the very bytes that the target read; true as well when it can compute no
    /// checksum.
    [[nodiscard]] bool intact() const;
};

/// The reply framed by `tag`, when both of its markers are complete in `bytes`.
std::optional<Reply> find_reply(std::string_view bytes, std::string_view tag);

/// Whether `echo` holds the typed text: in order, other bytes (kernel lines, terminal escapes) may stand between.
bool echoes(std::string_view echo, std::string_view typed);

/// What md5sum(1) prints for these bytes, in hexadecimal.
std::string md5_digest(std::string_view bytes);

}  // namespace rig::console
