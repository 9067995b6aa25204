// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"
#include "guest_process.hpp"
#include "pin_trace_reader.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/posix/stream_descriptor.hpp>

namespace vbench {

/// The powered board: the guest's process with the coroutines that listen to it. Belongs to the main thread.
class Guest : public std::enable_shared_from_this<Guest> {
public:
    struct Hooks {
        /// The pin trace has something to read.
        std::function<void()> trace_ready;
        /// The guest ended by itself; how, in words.
        std::function<void(const std::string&)> ended;
    };

    /// Starts the guest (see GuestProcess::start). `attachment` is the number of its UART at the pacer.
    static std::shared_ptr<Guest> start(asio::io_context& io, const GuestCommand& command, const UartEnds& uart,
                                        unsigned marker_pin, std::uint64_t attachment, Hooks hooks);

    /// Kills the guest, waits for its end, and calls no hook any more.
    void cut_power();

    [[nodiscard]] GuestProcess& process() { return *process_; }
    [[nodiscard]] PinTraceReader& trace() { return trace_; }
    [[nodiscard]] std::uint64_t attachment() const { return attachment_; }

private:
    Guest(asio::io_context& io, GuestProcess process, unsigned marker_pin, std::uint64_t attachment, Hooks hooks);

    static asio::awaitable<void> watch_end(std::shared_ptr<Guest> guest);
    static asio::awaitable<void> watch_trace(std::shared_ptr<Guest> guest);
    static asio::awaitable<void> watch_errors(std::shared_ptr<Guest> guest);
    static asio::awaitable<void> order_threads(std::shared_ptr<Guest> guest);
    void keep_error_text(std::string_view text);
    void read_last_errors();
    [[nodiscard]] std::string last_error_line() const;

    std::optional<GuestProcess> process_;
    PinTraceReader trace_;
    std::uint64_t attachment_;
    Hooks hooks_;
    asio::posix::stream_descriptor end_;
    asio::posix::stream_descriptor trace_ready_;
    asio::posix::stream_descriptor errors_;
    std::string error_text_;
};

}  // namespace vbench
