// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"
#include "unix_listener.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include <boost/asio/local/stream_protocol.hpp>

namespace vbench {

/// The board's serial port as a unix stream socket, for one client at a time; a second one is closed at once. Belongs
/// to the main thread.
class ConsoleServer {
public:
    /// Takes bytes that the client typed; gives how many of them found room.
    using Input = std::function<std::size_t(std::span<const std::uint8_t>)>;

    /// Listens on `path`. Throws BenchTrouble.
    ConsoleServer(asio::io_context& io, const std::filesystem::path& path, Input input);
    ~ConsoleServer();

    /// Gives the client a byte whose stop bit has ended. With no client it is lost, as on a wire that nobody listens
    /// to.
    void deliver(std::uint8_t byte);

    /// There is room for typed bytes again.
    void input_has_room();

    /// Closes the client's connection.
    void unplug();

    /// Stops listening and closes the client's connection.
    void stop();

    /// Bytes that a client never got because it had left a full buffer unread.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    class Session;

    asio::awaitable<void> accept_clients();
    [[nodiscard]] std::shared_ptr<Session> client() const { return client_.lock(); }

    asio::io_context& io_;
    Input input_;
    std::uint64_t dropped_ = 0;
    UnixListener listener_;
    std::weak_ptr<Session> client_;
};

}  // namespace vbench
