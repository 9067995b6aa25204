// SPDX-License-Identifier: GPL-3.0-or-later
#include "console_server.hpp"

#include "trouble.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace vbench {

using asio::ip::tcp;
using asio::posix::stream_descriptor;

namespace {

/// What may wait for a client that does not read: some 90 seconds of a 115200 baud line.
constexpr std::size_t longest_backlog = 1U << 20;

}  // namespace

/// The client's connection, whatever it runs over.
class ConsoleServer::Session {
public:
    virtual ~Session() = default;
    /// Whether there was room for the byte.
    [[nodiscard]] virtual bool put(std::uint8_t byte) = 0;
    virtual void input_has_room() = 0;
    virtual void close() = 0;
    [[nodiscard]] virtual bool is_open() const = 0;
};

template <class Stream>
class ConsoleServer::StreamSession final : public Session {
public:
    StreamSession(ConsoleServer& server, Stream socket)
        : server_(server), socket_(std::move(socket)), output_(socket_.get_executor()), room_(socket_.get_executor()) {}

    static void run(const std::shared_ptr<StreamSession>& session) {
        asio::co_spawn(session->socket_.get_executor(), read_keys(session), asio::detached);
        asio::co_spawn(session->socket_.get_executor(), write_out(session), asio::detached);
    }

    [[nodiscard]] bool put(std::uint8_t byte) override {
        if (backlog_.size() >= longest_backlog) return false;
        backlog_.push_back(static_cast<char>(byte));
        output_.announce();
        return true;
    }

    void input_has_room() override { room_.announce(); }

    void close() override {
        boost::system::error_code ignored;
        socket_.close(ignored);
        output_.announce();
        room_.announce();
    }

    [[nodiscard]] bool is_open() const override { return socket_.is_open(); }

private:
    static asio::awaitable<void> read_keys(std::shared_ptr<StreamSession> session) {
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

    static asio::awaitable<void> write_out(std::shared_ptr<StreamSession> session) {
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
    Stream socket_;
    Signal output_;
    Signal room_;
    std::string backlog_;
};

ConsoleServer::ConsoleServer(asio::io_context& io, ConsoleKind kind, const std::filesystem::path& path, Input input)
    : io_(io), input_(std::move(input)) {
    switch (kind) {
        case ConsoleKind::unix_socket:
            listen_on_path(path);
            break;
        case ConsoleKind::tcp:
            listen_on_port();
            break;
        case ConsoleKind::pty:
            make_pty();
            break;
    }
}

ConsoleServer::~ConsoleServer() {
    stop();
}

void ConsoleServer::listen_on_path(const std::filesystem::path& path) {
    path_.emplace(io_, path);
    address_ = path.string();
    asio::co_spawn(io_, accept_clients(path_->acceptor()), asio::detached);
}

void ConsoleServer::listen_on_port() {
    try {
        port_.emplace(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    } catch (const boost::system::system_error& error) {
        throw BenchTrouble(fmt::format("the console cannot listen on 127.0.0.1: {}", error.code().message()));
    }
    address_ = fmt::format("127.0.0.1:{}", port_->local_endpoint().port());
    asio::co_spawn(io_, accept_clients(*port_), asio::detached);
}

/// The bench keeps the client's end open too: else the terminal would hang up whenever a client leaves.
void ConsoleServer::make_pty() {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::array<char, 64> name{};
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0 ||
        ::ptsname_r(master, name.data(), name.size()) != 0)
        throw BenchTrouble(fmt::format("no pseudo terminal can be made: {}", std::strerror(errno)));
    stream_descriptor stream(io_, master);
    pty_end_.emplace(io_, ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios settings{};
    if (::tcgetattr(master, &settings) != 0) throw BenchTrouble("a pseudo terminal without settings");
    // A board's line echoes and translates nothing.
    ::cfmakeraw(&settings);
    ::tcsetattr(master, TCSANOW, &settings);
    address_ = name.data();
    begin(std::move(stream));
}

template <class Acceptor>
asio::awaitable<void> ConsoleServer::accept_clients(Acceptor& acceptor) {
    while (acceptor.is_open()) {
        auto [error, socket] = co_await acceptor.async_accept(to_tuple);
        if (error) {
            co_await pause(accept_retry);
            continue;
        }
        const auto present = client();
        if (present && present->is_open()) continue;  // The second client's socket closes here.
        begin(std::move(socket));
    }
}

template <class Stream>
void ConsoleServer::begin(Stream stream) {
    const auto session = std::make_shared<StreamSession<Stream>>(*this, std::move(stream));
    client_ = session;
    StreamSession<Stream>::run(session);
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
    pty_end_.reset();
}

void ConsoleServer::stop() {
    if (path_) path_->close();
    boost::system::error_code ignored;
    if (port_) port_->close(ignored);
    unplug();
}

}  // namespace vbench
