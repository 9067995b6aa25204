// SPDX-License-Identifier: GPL-3.0-or-later
#include "unix_listener.hpp"

#include "trouble.hpp"

#include <sys/un.h>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace vbench {

using asio::local::stream_protocol;

namespace {

constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;

bool somebody_listens(asio::io_context& io, const stream_protocol::endpoint& endpoint) {
    stream_protocol::socket probe(io);
    boost::system::error_code error;
    probe.connect(endpoint, error);
    return !error;
}

UnixListener::Acceptor listen(asio::io_context& io, const std::filesystem::path& path) {
    if (path.native().size() > longest_path) {
        throw BenchTrouble(
            fmt::format("the socket path {} is longer than the {} characters a unix socket may have; give a shorter "
                        "--dir",
                        path.string(), longest_path));
    }
    const stream_protocol::endpoint endpoint(path.native());
    if (std::filesystem::is_socket(path)) {
        if (somebody_listens(io, endpoint)) {
            throw BenchTrouble(
                fmt::format("another rig-vbench uses {}; give another --dir", path.parent_path().string()));
        }
        std::filesystem::remove(path);
    }
    try {
        return {io, endpoint};
    } catch (const boost::system::system_error& error) {
        throw BenchTrouble(fmt::format("no socket can be made at {}: {}", path.string(), error.code().message()));
    }
}

}  // namespace

UnixListener::UnixListener(asio::io_context& io, std::filesystem::path path)
    : path_(std::move(path)), acceptor_(listen(io, path_)) {}

UnixListener::~UnixListener() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

void UnixListener::close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
}

}  // namespace vbench
