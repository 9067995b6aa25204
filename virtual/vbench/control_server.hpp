// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"
#include "unix_listener.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/local/stream_protocol.hpp>

namespace vbench {

/// The control socket: each line a client sends is answered with one line. Any number of clients. Belongs to the main
/// thread.
class ControlServer {
public:
    /// Answers one command line; the answer has no line end.
    using Answer = std::function<std::string(std::string_view)>;

    /// Listens on `path`. Throws BenchTrouble.
    ControlServer(asio::io_context& io, const std::filesystem::path& path, Answer answer);
    ~ControlServer();

    /// Stops listening and closes all connections.
    void stop();

private:
    using Socket = asio::local::stream_protocol::socket;

    asio::awaitable<void> accept_clients();
    asio::awaitable<void> serve(std::shared_ptr<Socket> socket);

    asio::io_context& io_;
    Answer answer_;
    UnixListener listener_;
    std::vector<std::weak_ptr<Socket>> sockets_;
};

}  // namespace vbench
