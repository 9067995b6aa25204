// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace rig::device {

/// The bytes between the host and the board's UART. Used from the station's strand only.
class Console {
public:
    virtual ~Console() = default;
    /// Opens the line; a BenchError when it is missing or busy.
    virtual awaitable<void> open(Deadline deadline) = 0;
    /// Waits for at least one byte and gives how many were read into `buffer`. A BenchError when the line is lost;
    /// 0 when `close` was called.
    virtual awaitable<std::size_t> read(std::span<std::byte> buffer) = 0;
    /// Writes all of `bytes`, or throws a BenchError, also when the deadline comes first: a line held by flow control
    /// takes nothing for ever. The bytes must stay alive until it returns.
    virtual awaitable<void> write(std::span<const std::byte> bytes, Deadline deadline) = 0;
    /// Ends a pending read. May be called at any time.
    virtual void close() = 0;
    /// The driver and its address as people name it ("unix:/run/board/console").
    [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace rig::device
