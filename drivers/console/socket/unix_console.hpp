// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/console.hpp"

#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace drivers {

/// A console on a unix stream socket: `console: { unix: PATH }`.
class UnixConsole final : public rig::device::Console {
public:
    UnixConsole(const boost::asio::any_io_executor& executor, std::string path);

    rig::device::awaitable<void> open(rig::device::Deadline deadline) override;
    rig::device::awaitable<std::size_t> read(std::span<std::byte> buffer) override;
    rig::device::awaitable<void> write(std::span<const std::byte> bytes) override;
    void close() override;
    [[nodiscard]] std::string describe() const override { return "unix:" + path_; }

private:
    std::string path_;
    boost::asio::local::stream_protocol::socket socket_;
    bool closed_ = false;
};

}  // namespace drivers
