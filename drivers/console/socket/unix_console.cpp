// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/socket/unix_console.hpp"

#include "rig/error.hpp"

#include <tuple>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace drivers {

namespace asio = boost::asio;
using rig::BenchError;
using rig::device::awaitable;

UnixConsole::UnixConsole(const asio::any_io_executor& executor, std::string path)
    : path_(std::move(path)), socket_(executor) {}

awaitable<void> UnixConsole::open(rig::device::Deadline /*connecting a local socket does not wait*/) {
    if (path_.size() >= sizeof(sockaddr_un::sun_path))
        throw BenchError(fmt::format("the console socket's path is longer than {} bytes: {}",
                                     sizeof(sockaddr_un::sun_path) - 1, path_),
                         "use a shorter folder");
    const asio::local::stream_protocol::endpoint endpoint(path_);
    const auto [error] = co_await socket_.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
    if (error)
        throw BenchError(fmt::format("the console {} cannot be opened: {}", describe(), error.message()),
                         "is the station's bench running, and nobody else on its console?");
}

awaitable<std::size_t> UnixConsole::read(std::span<std::byte> buffer) {
    const auto [error, count] = co_await socket_.async_read_some(asio::buffer(buffer.data(), buffer.size()),
                                                                 asio::as_tuple(asio::use_awaitable));
    if (closed_) co_return 0;
    if (error)
        throw BenchError(fmt::format("the console {} was lost: {}", describe(),
                                     error == asio::error::eof ? "the other end closed it" : error.message()),
                         "was it unplugged, or taken by another program?");
    co_return count;
}

awaitable<void> UnixConsole::write(std::span<const std::byte> bytes) {
    const auto [error, count] = co_await asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                                                           asio::as_tuple(asio::use_awaitable));
    if (error) throw BenchError(fmt::format("writing to the console {} failed: {}", describe(), error.message()));
}

void UnixConsole::close() {
    closed_ = true;
    boost::system::error_code ignored;
    socket_.close(ignored);
}

}  // namespace drivers
