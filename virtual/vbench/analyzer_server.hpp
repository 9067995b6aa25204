// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "asio.hpp"
#include "time.hpp"
#include "waveform.hpp"
#include "wire_log.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace vbench {

/// What shall happen to one capture besides being sampled.
struct CapturePlan {
    struct LostBlock {
        std::uint64_t at;
        std::uint64_t samples;
    };
    struct Pause {
        std::uint64_t at;
        nanoseconds length;
    };

    Probes probes;
    /// Close the connection after this many samples.
    std::optional<std::uint64_t> close_at;
    /// In order of their places.
    std::vector<LostBlock> lost;
    std::optional<Pause> pause;
    std::vector<Waveform::Glitch> glitches;
};

/// Serves the wires to libsigrok as a BeagleLogic on TCP. The samples of a capture flow at the pace of real time,
/// behind it by a constant lag, so that all that happened up to a sample is known when the sample is made. A slow
/// client gets every sample, later. Belongs to the main thread.
class AnalyzerServer {
public:
    /// The server's ties to the bench.
    struct Hooks {
        /// Brings the wire log up to date.
        std::function<void()> collect;
        /// A capture begins at this moment.
        std::function<CapturePlan(Instant)> begin;
        /// Samples were made; the stream was behind its lag by this much.
        std::function<void(std::uint64_t samples, nanoseconds behind)> streamed;
    };

    /// `log` must outlive the server.
    AnalyzerServer(asio::io_context& io, const WireLog& log, nanoseconds lag, Hooks hooks);
    ~AnalyzerServer();

    /// Listens on 127.0.0.1; port 0 takes a free one. Throws BenchTrouble.
    void listen(std::uint16_t port);

    /// The port refuses connections until `listen` is called again; connections that exist are closed.
    void go_absent();

    /// The port last listened on.
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// Ends all connections and stops listening.
    void stop();

    /// The moment up to which every running capture has been sampled; none when no capture runs.
    [[nodiscard]] std::optional<Picoseconds> sampled_until() const;
    /// The moment up to which at least one capture has been sampled: an event before it is late for somebody.
    [[nodiscard]] std::optional<Picoseconds> first_sampled_until() const;

private:
    class Session;

    asio::awaitable<void> accept_clients(std::shared_ptr<asio::ip::tcp::acceptor> acceptor);
    [[nodiscard]] std::vector<Picoseconds> progress() const;

    asio::io_context& io_;
    const WireLog& log_;
    nanoseconds lag_;
    Hooks hooks_;
    std::uint16_t port_ = 0;
    std::shared_ptr<asio::ip::tcp::acceptor> acceptor_;
    std::vector<std::weak_ptr<Session>> sessions_;
};

}  // namespace vbench
