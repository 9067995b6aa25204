// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace rig::console {

/// Every byte that the console gave, in order, never changed. Readers keep an offset of their own. Strand only.
class ByteLog {
public:
    void append(std::span<const std::byte> bytes, host_time at);
    /// The line is gone; waiting readers wake and `check` throws `why`.
    void close(std::exception_ptr why);

    /// All bytes so far. The view ends with the next `append`.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }
    [[nodiscard]] std::string_view since(std::size_t offset) const { return bytes().substr(offset); }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    /// Arrival of the newest byte at the host. It says that the line is quiet, and measures nothing.
    [[nodiscard]] host_time last_arrival() const { return last_arrival_; }
    /// Throws the cause when the line is gone.
    void check() const;

    device::Signal changed;

private:
    std::string bytes_;
    host_time last_arrival_{};
    std::exception_ptr lost_;
};

/// The end of `bytes` as a person reads it in an error: at most `most` bytes, control characters escaped.
std::string show_tail(std::string_view bytes, std::size_t most = 200);

}  // namespace rig::console
