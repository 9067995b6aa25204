// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace vbench {

namespace asio = boost::asio;

/// Completion token of the bench's coroutines: an operation gives (error, result…) and does not throw.
inline constexpr auto to_tuple = asio::as_tuple(asio::use_awaitable);

/// How long a server waits after it could not accept a client: the system is short of descriptors and needs a moment.
inline constexpr std::chrono::milliseconds accept_retry{100};

/// Waits for a while on the executor of the calling coroutine.
inline asio::awaitable<void> pause(std::chrono::milliseconds time) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(to_tuple);
}

/// Something a coroutine waits for and others announce; a timer that never fires by itself.
class Signal {
public:
    explicit Signal(const asio::any_io_executor& executor) : timer_(executor) {}

    /// Resumes whoever waits.
    void announce() { timer_.cancel(); }

    /// Waits for an announcement, or until `deadline`.
    asio::awaitable<void> wait(asio::steady_timer::time_point deadline = asio::steady_timer::time_point::max()) {
        timer_.expires_at(deadline);
        co_await timer_.async_wait(to_tuple);
    }

private:
    asio::steady_timer timer_;
};

}  // namespace vbench
