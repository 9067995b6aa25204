// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/byte_log.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rig::console {

void ByteLog::append(std::span<const std::byte> bytes, host_time at) {
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    last_arrival_ = at;
    changed.notify();
}

void ByteLog::close(std::exception_ptr why) {
    lost_ = std::move(why);
    changed.notify();
}

void ByteLog::check() const {
    if (lost_) std::rethrow_exception(lost_);
}

std::string show_tail(std::string_view bytes, std::size_t most) {
    const auto tail = bytes.substr(bytes.size() - std::min(bytes.size(), most));
    std::string text;
    for (const char c : tail) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            text += "\\n";
        } else if (c == '\r') {
            text += "\\r";
        } else if (byte < 0x20 || byte >= 0x7f) {
            text += fmt::format("\\x{:02x}", byte);
        } else {
            text += c;
        }
    }
    return text;
}

}  // namespace rig::console
