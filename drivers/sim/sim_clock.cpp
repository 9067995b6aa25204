// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_clock.hpp"

#include "drivers/sim/event_queue.hpp"
#include "rig/error.hpp"

#include <vector>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

namespace rig::sim {
namespace {

namespace asio = boost::asio;
using Outcome = device::Timer::Outcome;

/// Destroys the waits of an io_context's coroutines when the io_context ends first: their frames hold work guards
/// on it.
class WaitsOfContext final : public asio::execution_context::service {
public:
    static inline asio::execution_context::id id;

    explicit WaitsOfContext(asio::execution_context& context) : service(context) {}

    void watch(const std::shared_ptr<EventQueue>& queue) {
        for (const auto& known : queues_) {
            if (known.lock() == queue) return;
        }
        queues_.push_back(queue);
    }

private:
    void shutdown() noexcept override {
        for (const auto& known : queues_) {
            if (const auto queue = known.lock()) queue->clear();
        }
    }

    std::vector<std::weak_ptr<EventQueue>> queues_;
};

/// Puts a wait into the queue. Its completion is posted to the waiting coroutine's executor, never run inside the call
/// that ended the wait.
struct BeginWait {
    std::shared_ptr<EventQueue> queue;
    std::shared_ptr<std::optional<EventQueue::Key>> pending;
    host_time until;

    template <class Handler>
    void operator()(Handler handler) const {
        const auto executor = asio::get_associated_executor(handler);
        auto slot = asio::get_associated_cancellation_slot(handler);
        const auto key = queue->add(until, [pending = pending, executor,
                                            handler = std::move(handler)](EventQueue::Fate fate) mutable {
            pending->reset();
            const auto outcome = fate == EventQueue::Fate::due ? Outcome::expired : Outcome::cancelled;
            asio::post(executor, [handler = std::move(handler), outcome]() mutable { std::move(handler)(outcome); });
        });
        *pending = key;
        if (slot.is_connected()) {
            slot.assign([known = std::weak_ptr(queue), key](asio::cancellation_type) {
                if (const auto alive = known.lock()) alive->call_off(key);
            });
        }
    }
};

class SimTimer final : public device::Timer {
public:
    explicit SimTimer(std::shared_ptr<EventQueue> queue) : queue_(std::move(queue)) {}
    SimTimer(const SimTimer&) = delete;
    SimTimer& operator=(const SimTimer&) = delete;
    ~SimTimer() override { SimTimer::cancel(); }

    device::awaitable<Outcome> wait_until(host_time until) override {
        if (*pending_)
            throw RigError("a timer of the sim is waited on twice at the same time",
                           "give each wait a timer of its own");
        return asio::async_initiate<const asio::use_awaitable_t<>&, void(Outcome)>(BeginWait{queue_, pending_, until},
                                                                                   asio::use_awaitable);
    }

    void cancel() override {
        if (const auto key = *pending_) queue_->call_off(*key);
    }

private:
    std::shared_ptr<EventQueue> queue_;
    std::shared_ptr<std::optional<EventQueue::Key>> pending_ = std::make_shared<std::optional<EventQueue::Key>>();
};

}  // namespace

Event& Event::operator=(Event&& other) noexcept {
    if (this != &other) {
        call_off();
        queue_ = std::exchange(other.queue_, {});
        at_ = other.at_;
        sequence_ = other.sequence_;
    }
    return *this;
}

void Event::call_off() {
    if (const auto queue = std::exchange(queue_, {}).lock()) queue->forget({at_, sequence_});
}

SimClock::SimClock() : queue_(std::make_shared<EventQueue>()) {}

SimClock::~SimClock() {
    queue_->clear();
}

host_time SimClock::now() const {
    return queue_->now();
}

std::unique_ptr<device::Timer> SimClock::make_timer() {
    return std::make_unique<SimTimer>(queue_);
}

Event SimClock::at(host_time when, std::function<void()> action) {
    const auto key = queue_->add(when, [action = std::move(action)](EventQueue::Fate) { action(); });
    return Event(queue_, key.at, key.sequence);
}

void SimClock::abandon(boost::asio::io_context& io) {
    // Asio unwinds a coroutine whose handler is destroyed through the executor, not on the spot.
    do {
        queue_->clear();
        io.restart();
        io.poll();
    } while (!queue_->empty());
}

void SimClock::run(boost::asio::io_context& io) {
    asio::use_service<WaitsOfContext>(io).watch(queue_);
    do {
        io.restart();
        io.poll();
    } while (!io.stopped() && queue_->run_next());
}

void SimClock::run_until(boost::asio::io_context& io, const std::function<bool()>& done, std::chrono::hours at_most) {
    asio::use_service<WaitsOfContext>(io).watch(queue_);
    const auto last = now() + at_most;
    while (true) {
        io.restart();
        io.poll();
        if (done()) return;
        const auto next = queue_->next();
        if (next && *next <= last) {
            queue_->run_next();
            continue;
        }
        abandon(io);
        if (!next)
            throw RigError(fmt::format("the sim is stuck at {:.6f} s: nothing left to happen",
                                       to_seconds(now().time_since_epoch())),
                           "a coroutine waits for something that nobody will do");
        throw RigError(fmt::format("the sim is not done after {} h of virtual time", at_most.count()),
                       "a coroutine polls for something that nobody will do");
    }
}

}  // namespace rig::sim
