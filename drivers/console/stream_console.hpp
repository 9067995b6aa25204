// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/console.hpp"
#include "rig/error.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace drivers {

/// Cancels what waits on a stream when a deadline comes. The stream must outlive it.
template <class Stream>
class WaitLimit {
public:
    WaitLimit(Stream& stream, const rig::device::Deadline& deadline) : timer_(stream.get_executor()) {
        // libstdc++'s steady_clock is CLOCK_MONOTONIC, and so is host_clock.
        timer_.expires_at(std::chrono::steady_clock::time_point{deadline.until.time_since_epoch()});
        timer_.async_wait([&stream, in_force = in_force_](boost::system::error_code error) {
            if (!error && *in_force) stream.cancel();
        });
    }
    WaitLimit(const WaitLimit&) = delete;
    WaitLimit& operator=(const WaitLimit&) = delete;
    // The timer's handler may be on its way already: it must not cancel what comes next.
    ~WaitLimit() { *in_force_ = false; }

private:
    std::shared_ptr<bool> in_force_ = std::make_shared<bool>(true);
    boost::asio::steady_timer timer_;
};

/// What every console on a byte stream of the operating system has in common. A subclass opens `stream_`.
template <class Stream>
class StreamConsole : public rig::device::Console {
public:
    rig::device::awaitable<std::size_t> read(std::span<std::byte> buffer) override {
        const auto [error, count] = co_await stream_.async_read_some(boost::asio::buffer(buffer.data(), buffer.size()),
                                                                     boost::asio::as_tuple(boost::asio::use_awaitable));
        if (closed_) co_return 0;
        if (error) throw_lost(error);
        co_return count;
    }

    rig::device::awaitable<void> write(std::span<const std::byte> bytes, rig::device::Deadline deadline) override {
        const WaitLimit limit(stream_, deadline);
        const auto [error, count] =
            co_await boost::asio::async_write(stream_, boost::asio::buffer(bytes.data(), bytes.size()),
                                              boost::asio::as_tuple(boost::asio::use_awaitable));
        if (closed_)
            throw rig::BenchError(fmt::format("the console {} was closed while it was written to", describe()));
        if (error == boost::asio::error::operation_aborted)
            throw rig::BenchError(fmt::format("{}: the console {} took {} of {} bytes and no more", deadline.what,
                                              describe(), count, bytes.size()),
                                  "is the line held by flow control, or the other end hung?");
        if (error) throw_lost(error);
    }

    void close() override {
        closed_ = true;
        boost::system::error_code ignored;
        stream_.close(ignored);
    }

protected:
    explicit StreamConsole(const boost::asio::any_io_executor& executor) : stream_(executor) {}

    [[noreturn]] void throw_lost(const boost::system::error_code& error) const {
        throw rig::BenchError(
            fmt::format("the console {} was lost: {}", describe(),
                        error == boost::asio::error::eof ? "the other end closed it" : error.message()),
            "was it unplugged, or taken by another program?");
    }

    Stream stream_;
    bool closed_ = false;
};

}  // namespace drivers
