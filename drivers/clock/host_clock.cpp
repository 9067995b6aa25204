// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/clock/host_clock.hpp"

#include <chrono>
#include <tuple>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace drivers {
namespace {

namespace asio = boost::asio;

class HostTimer final : public rig::device::Timer {
public:
    explicit HostTimer(const asio::any_io_executor& executor) : timer_(executor) {}

    rig::device::awaitable<Outcome> wait_until(rig::host_time until) override {
        // libstdc++'s steady_clock is CLOCK_MONOTONIC, and so is host_clock.
        timer_.expires_at(std::chrono::steady_clock::time_point{until.time_since_epoch()});
        cancelled_ = false;
        co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
        co_return cancelled_ ? Outcome::cancelled : Outcome::expired;
    }
    void cancel() override {
        cancelled_ = true;
        timer_.cancel();
    }

private:
    asio::steady_timer timer_;
    bool cancelled_ = false;
};

}  // namespace

rig::host_time HostClock::now() const {
    return rig::host_time{
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())};
}

std::unique_ptr<rig::device::Timer> HostClock::make_timer() {
    return std::make_unique<HostTimer>(executor_);
}

}  // namespace drivers
