// SPDX-License-Identifier: GPL-3.0-or-later
#include "console_server.hpp"

#include <array>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace vbench {

using asio::local::stream_protocol;

namespace {

/// What may wait for a client that does not read: some 90 seconds of a 115200 baud line.
constexpr std::size_t longest_backlog = 1U << 20;

}  // namespace

/// The client's connection.
class ConsoleServer::Session : public std::enable_shared_from_this<Session> {
public:
    Session(ConsoleServer& server, stream_protocol::socket socket)
        : server_(server), socket_(std::move(socket)), output_(socket_.get_executor()), room_(socket_.get_executor()) {}

    static void run(const std::shared_ptr<Session>& session) {
        asio::co_spawn(session->socket_.get_executor(), read_keys(session), asio::detached);
        asio::co_spawn(session->socket_.get_executor(), write_out(session), asio::detached);
    }

    [[nodiscard]] bool put(std::uint8_t byte) {
        if (backlog_.size() >= longest_backlog) return false;
        backlog_.push_back(static_cast<char>(byte));
        output_.announce();
        return true;
    }

    void input_has_room() { room_.announce(); }

    void close() {
        boost::system::error_code ignored;
        socket_.close(ignored);
        output_.announce();
        room_.announce();
    }

    [[nodiscard]] bool is_open() const { return socket_.is_open(); }

private:
    static asio::awaitable<void> read_keys(std::shared_ptr<Session> session) {
        std::array<std::uint8_t, 256> buffer{};
        while (session->socket_.is_open()) {
            const auto [error, size] = co_await session->socket_.async_read_some(asio::buffer(buffer), to_tuple);
            if (error) break;
            std::span<const std::uint8_t> keys(buffer.data(), size);
            while (session->socket_.is_open() && !keys.empty()) {
                keys = keys.subspan(session->server_.input_(keys));
                if (!keys.empty()) co_await session->room_.wait();
            }
        }
        session->close();
    }

    static asio::awaitable<void> write_out(std::shared_ptr<Session> session) {
        while (session->socket_.is_open()) {
            if (session->backlog_.empty()) {
                co_await session->output_.wait();
                continue;
            }
            const std::string sending = std::exchange(session->backlog_, {});
            const auto [error, size] = co_await asio::async_write(session->socket_, asio::buffer(sending), to_tuple);
            if (error) break;
        }
        session->close();
    }

    ConsoleServer& server_;
    stream_protocol::socket socket_;
    Signal output_;
    Signal room_;
    std::string backlog_;
};

ConsoleServer::ConsoleServer(asio::io_context& io, const std::filesystem::path& path, Input input)
    : io_(io), input_(std::move(input)), listener_(io, path) {
    asio::co_spawn(io_, accept_clients(), asio::detached);
}

ConsoleServer::~ConsoleServer() {
    stop();
}

asio::awaitable<void> ConsoleServer::accept_clients() {
    while (listener_.acceptor().is_open()) {
        auto [error, socket] = co_await listener_.acceptor().async_accept(to_tuple);
        if (error) {
            co_await pause(accept_retry);
            continue;
        }
        const auto present = client();
        if (present && present->is_open()) continue;  // The second client's socket closes here.
        const auto session = std::make_shared<Session>(*this, std::move(socket));
        client_ = session;
        Session::run(session);
    }
}

void ConsoleServer::deliver(std::uint8_t byte) {
    const auto session = client();
    if (session && session->is_open() && !session->put(byte)) ++dropped_;
}

void ConsoleServer::input_has_room() {
    if (const auto session = client()) session->input_has_room();
}

void ConsoleServer::unplug() {
    if (const auto session = client()) session->close();
}

void ConsoleServer::stop() {
    listener_.close();
    unplug();
}

}  // namespace vbench
