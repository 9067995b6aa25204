// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/console/stream_console.hpp"

#include <string>

#include <boost/asio/local/stream_protocol.hpp>

namespace drivers {

/// A console on a unix stream socket: `console: { unix: PATH }`.
class UnixConsole final : public StreamConsole<boost::asio::local::stream_protocol::socket> {
public:
    UnixConsole(const boost::asio::any_io_executor& executor, std::string path);

    rig::device::awaitable<void> open(rig::device::Deadline deadline) override;
    [[nodiscard]] std::string describe() const override { return "unix:" + path_; }

private:
    std::string path_;
};

}  // namespace drivers
