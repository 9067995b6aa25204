// SPDX-License-Identifier: GPL-3.0-or-later
#include "control_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace vbench {

namespace {

constexpr std::size_t longest_line = 4096;

}  // namespace

ControlServer::ControlServer(asio::io_context& io, const std::filesystem::path& path, Answer answer)
    : io_(io), answer_(std::move(answer)), listener_(io, path) {
    asio::co_spawn(io_, accept_clients(), asio::detached);
}

ControlServer::~ControlServer() {
    stop();
}

asio::awaitable<void> ControlServer::accept_clients() {
    while (listener_.acceptor().is_open()) {
        auto [error, socket] = co_await listener_.acceptor().async_accept(to_tuple);
        if (error) {
            co_await pause(accept_retry);
            continue;
        }
        std::erase_if(sockets_, [](const auto& entry) { return entry.expired(); });
        const auto shared = std::make_shared<Socket>(std::move(socket));
        sockets_.push_back(shared);
        asio::co_spawn(io_, serve(shared), asio::detached);
    }
}

asio::awaitable<void> ControlServer::serve(std::shared_ptr<Socket> socket) {
    std::string received;
    for (;;) {
        const auto [error, size] =
            co_await asio::async_read_until(*socket, asio::dynamic_buffer(received, longest_line), '\n', to_tuple);
        if (error) co_return;
        std::string line = received.substr(0, size - 1);
        received.erase(0, size);
        if (line.ends_with('\r')) line.pop_back();
        const std::string reply = answer_(line) + '\n';
        const auto [write_error, written] = co_await asio::async_write(*socket, asio::buffer(reply), to_tuple);
        if (write_error) co_return;
    }
}

void ControlServer::stop() {
    listener_.close();
    boost::system::error_code ignored;
    for (const auto& entry : sockets_) {
        if (const auto socket = entry.lock()) socket->close(ignored);
    }
    sockets_.clear();
}

}  // namespace vbench
