// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/socket/tcp_console.hpp"

#include <charconv>
#include <utility>

#include <boost/asio/connect.hpp>

namespace drivers {

namespace asio = boost::asio;
using asio::ip::tcp;
using rig::BenchError;
using rig::PlanError;
using rig::device::awaitable;

namespace {

bool is_port(const std::string& text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc{} && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

}  // namespace

TcpConsole::TcpConsole(const asio::any_io_executor& executor, const std::string& address)
    : StreamConsole(executor), address_(address) {
    const auto colon = address.rfind(':');
    host_ = address.substr(0, colon);
    port_ = colon == std::string::npos ? std::string() : address.substr(colon + 1);
    if (host_.starts_with('[') && host_.ends_with(']'))
        host_ = host_.substr(1, host_.size() - 2);
    else if (host_.find(':') != std::string::npos)
        port_.clear();
    if (host_.empty() || !is_port(port_))
        throw PlanError(fmt::format("console.tcp '{}' is not HOST:PORT", address),
                        "try tcp: 127.0.0.1:4000, or tcp: '[::1]:4000'");
}

awaitable<void> TcpConsole::open(rig::device::Deadline deadline) {
    tcp::resolver resolver(stream_.get_executor());
    const WaitLimit resolving(resolver, deadline);
    const auto [unknown, found] = co_await resolver.async_resolve(host_, port_, asio::as_tuple(asio::use_awaitable));
    if (unknown)
        throw BenchError(fmt::format("the console {}: the host is not known: {}", describe(), unknown.message()),
                         "check the name in the lab file");
    boost::system::error_code error = asio::error::host_not_found;
    for (const auto& entry : found) {
        boost::system::error_code ignored;
        stream_.close(ignored);
        stream_.open(entry.endpoint().protocol(), error);
        if (error) continue;
        const WaitLimit connecting(stream_, deadline);
        const auto [refused] = co_await stream_.async_connect(entry.endpoint(), asio::as_tuple(asio::use_awaitable));
        error = refused;
        if (!error) break;
    }
    if (error)
        throw BenchError(fmt::format("the console {} cannot be opened: {}", describe(),
                                     error == asio::error::operation_aborted ? "no answer in time" : error.message()),
                         "is the terminal server running, and nobody else on this port?");
    stream_.set_option(tcp::no_delay(true), error);
}

}  // namespace drivers
