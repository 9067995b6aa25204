// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the printk_test patch prints and accepts (firmware-target/README.md).
namespace rig::sim::stimulus {

/// A write to /proc/printk_test.
struct Request {
    std::optional<std::string> nonce;
    std::optional<std::uint64_t> length;  ///< characters of message text
    std::uint64_t count = 1;
};

/// Nothing when the patch would refuse the write. `current_nonce` is the one in force when the text names none.
std::optional<Request> parse(std::string_view text, std::string_view current_nonce);

/// "test NONCE …", exactly `length` characters of message text.
std::string record_text(std::string_view nonce, std::size_t length);

/// The long text of sync(2): a record of 274 characters with a time prefix of `prefix` characters and CR LF, as in the
/// 2007 report.
std::string sync_text(std::string_view nonce, std::size_t prefix);

/// The short one: "short NONCE …".
std::string short_text(std::string_view nonce);

}  // namespace rig::sim::stimulus
