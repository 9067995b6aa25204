// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/clock.hpp"

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

namespace rig::device {

template <class T>
using awaitable = boost::asio::awaitable<T>;

/// One wait that can be ended early. Used from the station's strand only.
class Timer {
public:
    enum class Outcome { expired, cancelled };

    virtual ~Timer() = default;
    /// Ends at `until` or when `cancel` is called, whichever comes first.
    virtual awaitable<Outcome> wait_until(host_time until) = 0;
    virtual void cancel() = 0;
};

/// The host's clock and its timers: real time, or the sim's virtual time in which no test sleeps.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual host_time now() const = 0;
    [[nodiscard]] virtual std::unique_ptr<Timer> make_timer() = 0;
};

/// Until when something may take, and what it is; the words of a time-out.
struct Deadline {
    std::string what;
    host_time until;
};

/// Wakes every coroutine that waits on it. The strand is its only thread.
class Signal {
public:
    /// Wakes all that wait now.
    void notify();
    /// Waits for the next `notify`, at most until `until`; false when the time ran out first.
    awaitable<bool> wait(Clock& clock, host_time until);

private:
    std::vector<Timer*> waiting_;
};

/// Lets `span` pass on the clock.
awaitable<void> pause(Clock& clock, host_clock::duration span);

}  // namespace rig::device
