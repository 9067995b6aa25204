// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/device/clock.hpp"

#include <algorithm>

namespace rig::device {

void Signal::notify() {
    for (Timer* timer : waiting_) timer->cancel();
}

awaitable<bool> Signal::wait(Clock& clock, host_time until) {
    const auto timer = clock.make_timer();
    /// Leaves the list however the wait ends, also when the coroutine is destroyed.
    struct Entry {
        std::vector<Timer*>& list;
        Timer* timer;
        Entry(std::vector<Timer*>& l, Timer* t) : list(l), timer(t) { list.push_back(timer); }
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        ~Entry() { std::erase(list, timer); }
    };
    const Entry entry(waiting_, timer.get());
    co_return co_await timer->wait_until(until) == Timer::Outcome::cancelled;
}

awaitable<void> pause(Clock& clock, host_clock::duration span) {
    const auto timer = clock.make_timer();
    co_await timer->wait_until(clock.now() + span);
}

}  // namespace rig::device
