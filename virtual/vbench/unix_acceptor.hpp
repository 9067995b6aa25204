// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"

#include <filesystem>

#include <boost/asio/local/stream_protocol.hpp>

namespace vbench {

/// Listens on a unix socket. A socket file that nobody listens on any more, as a killed bench leaves it, is replaced.
/// Throws BenchTrouble when another bench is there or the path cannot be used.
asio::local::stream_protocol::acceptor listen_on_unix_socket(asio::io_context& io, const std::filesystem::path& path);

}  // namespace vbench
