// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/console/stream_console.hpp"

#include <string>

#include <boost/asio/ip/tcp.hpp>

namespace drivers {

/// A console on a raw TCP port, as ser2net, a terminal server or QEMU offer it: `console: { tcp: HOST:PORT }`. No
/// Telnet, no RFC 2217: the rate is set at the other end.
class TcpConsole final : public StreamConsole<boost::asio::ip::tcp::socket> {
public:
    /// `address` is HOST:PORT, an IPv6 address in brackets; a PlanError when it is neither.
    TcpConsole(const boost::asio::any_io_executor& executor, const std::string& address);

    rig::device::awaitable<void> open(rig::device::Deadline deadline) override;
    [[nodiscard]] std::string describe() const override { return "tcp:" + address_; }

private:
    std::string address_;
    std::string host_;
    std::string port_;
};

}  // namespace drivers
