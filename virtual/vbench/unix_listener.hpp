// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"

#include <filesystem>

#include <boost/asio/local/stream_protocol.hpp>

namespace vbench {

/// Listens on a unix socket and takes its file away at the end.
class UnixListener {
public:
    using Acceptor = asio::local::stream_protocol::acceptor;

    /// A socket file that nobody listens on any more, as a killed bench leaves it, is replaced. Throws BenchTrouble
    /// when another bench is there or the path cannot be used.
    UnixListener(asio::io_context& io, std::filesystem::path path);
    ~UnixListener();
    UnixListener(const UnixListener&) = delete;
    UnixListener& operator=(const UnixListener&) = delete;

    [[nodiscard]] Acceptor& acceptor() { return acceptor_; }

    /// Stops listening.
    void close();

private:
    std::filesystem::path path_;
    Acceptor acceptor_;
};

}  // namespace vbench
