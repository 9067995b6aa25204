// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"
#include "unix_listener.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

namespace vbench {

/// How a client reaches the board's serial port.
enum class ConsoleKind { unix_socket, tcp, pty };

/// The board's serial port, for one client at a time. On a socket a second client is closed at once; on a pseudo
/// terminal the bench cannot tell who is there. Belongs to the main thread.
class ConsoleServer {
public:
    /// Takes bytes that the client typed; gives how many of them found room.
    using Input = std::function<std::size_t(std::span<const std::uint8_t>)>;

    /// Listens on `path`, on a free port of 127.0.0.1, or makes a pseudo terminal. Throws BenchTrouble.
    ConsoleServer(asio::io_context& io, ConsoleKind kind, const std::filesystem::path& path, Input input);
    ~ConsoleServer();

    /// What a client opens: a socket's path, "127.0.0.1:PORT", or "/dev/pts/N".
    [[nodiscard]] const std::string& address() const { return address_; }

    /// Gives the client a byte whose stop bit has ended. With no client on a socket it is lost, as on a wire that
    /// nobody listens to.
    void deliver(std::uint8_t byte);

    /// There is room for typed bytes again.
    void input_has_room();

    /// Closes the client's connection. A pseudo terminal is gone with it.
    void unplug();

    /// Stops listening and closes the client's connection.
    void stop();

    /// Bytes that a client never got because it had left a full buffer unread.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    class Session;
    template <class Stream>
    class StreamSession;

    void listen_on_path(const std::filesystem::path& path);
    void listen_on_port();
    void make_pty();
    template <class Acceptor>
    asio::awaitable<void> accept_clients(Acceptor& acceptor);
    template <class Stream>
    void begin(Stream stream);
    [[nodiscard]] std::shared_ptr<Session> client() const { return client_.lock(); }

    asio::io_context& io_;
    Input input_;
    std::string address_;
    std::uint64_t dropped_ = 0;
    std::optional<UnixListener> path_;
    std::optional<asio::ip::tcp::acceptor> port_;
    std::optional<asio::posix::stream_descriptor> pty_end_;  ///< the client's end of a pseudo terminal
    std::weak_ptr<Session> client_;
};

}  // namespace vbench
