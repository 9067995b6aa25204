// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/socket/unix_console.hpp"

#include <utility>

namespace drivers {

namespace asio = boost::asio;
using rig::BenchError;
using rig::device::awaitable;

UnixConsole::UnixConsole(const asio::any_io_executor& executor, std::string path)
    : StreamConsole(executor), path_(std::move(path)) {}

awaitable<void> UnixConsole::open(rig::device::Deadline /*connecting a local socket does not wait*/) {
    if (path_.size() >= sizeof(sockaddr_un::sun_path))
        throw BenchError(fmt::format("the console socket's path is longer than {} bytes: {}",
                                     sizeof(sockaddr_un::sun_path) - 1, path_),
                         "use a shorter folder");
    const asio::local::stream_protocol::endpoint endpoint(path_);
    const auto [error] = co_await stream_.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
    if (error)
        throw BenchError(fmt::format("the console {} cannot be opened: {}", describe(), error.message()),
                         "is the station's bench running, and nobody else on its console?");
}

}  // namespace drivers
