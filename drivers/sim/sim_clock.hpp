// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace rig::sim {

class EventQueue;

/// Something that will happen at a moment of virtual time. Destroying or assigning over it calls it off.
class Event {
public:
    Event() = default;
    Event(std::weak_ptr<EventQueue> queue, host_time at, std::uint64_t sequence)
        : queue_(std::move(queue)), at_(at), sequence_(sequence) {}
    Event(Event&& other) noexcept
        : queue_(std::exchange(other.queue_, {})), at_(other.at_), sequence_(other.sequence_) {}
    Event& operator=(Event&& other) noexcept;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { call_off(); }

    void call_off();

private:
    std::weak_ptr<EventQueue> queue_;
    host_time at_{};
    std::uint64_t sequence_ = 0;
};

/// The host's clock in virtual time: it stands still while anything is ready to run, then jumps to the earliest thing
/// that is due. Things due at the same instant happen in the order in which they were asked for, so equal runs are
/// equal to the byte. One thread only. May be destroyed before or after the io_context that it drove. A coroutine that
/// still waits on it then is destroyed with the io_context (what it refers to must live as long) unless `abandon` was
/// called before.
class SimClock final : public device::Clock {
public:
    SimClock();
    ~SimClock() override;
    SimClock(const SimClock&) = delete;
    SimClock& operator=(const SimClock&) = delete;

    [[nodiscard]] host_time now() const override;
    [[nodiscard]] std::unique_ptr<device::Timer> make_timer() override;

    /// Calls `action` at `when` (at once in the queue's turn when that is past). Nothing happens once the returned
    /// event is destroyed.
    [[nodiscard]] Event at(host_time when, std::function<void()> action);

    /// Runs until no coroutine or handler of `io` is left, or until all of them wait for what will never come.
    void run(boost::asio::io_context& io);

    /// Runs until `done` holds. A RigError when nothing is left that could happen, or when `at_most` of virtual time
    /// passed (a loop that polls for ever never stands still); all waiting coroutines are destroyed then, while what
    /// they refer to still lives.
    void run_until(boost::asio::io_context& io, const std::function<bool()>& done,
                   std::chrono::hours at_most = std::chrono::hours{24});

    /// Destroys all coroutines that wait on this clock and calls off every event; for the end of a run that was given
    /// up.
    void abandon(boost::asio::io_context& io);

    /// Runs `work` on `io` to its end, gives its result and passes its exception on.
    template <class T>
    T run_until_done(boost::asio::io_context& io, boost::asio::awaitable<T> work,
                     std::chrono::hours at_most = std::chrono::hours{24});

private:
    std::shared_ptr<EventQueue> queue_;
};

template <class T>
T SimClock::run_until_done(boost::asio::io_context& io, boost::asio::awaitable<T> work, std::chrono::hours at_most) {
    // Shared with the completion handler, which outlives this call when the run is given up.
    struct Ending {
        bool reached = false;
        std::exception_ptr error;
        std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> value;
    };
    const auto ending = std::make_shared<Ending>();
    if constexpr (std::is_void_v<T>) {
        boost::asio::co_spawn(io, std::move(work), [ending](std::exception_ptr error) {
            ending->error = std::move(error);
            ending->reached = true;
        });
    } else {
        boost::asio::co_spawn(io, std::move(work), [ending](std::exception_ptr error, T value) {
            ending->error = std::move(error);
            if (!ending->error) ending->value.emplace(std::move(value));
            ending->reached = true;
        });
    }
    run_until(io, [&ending] { return ending->reached; }, at_most);
    if (ending->error) std::rethrow_exception(ending->error);
    if constexpr (!std::is_void_v<T>) return std::move(*ending->value);
}

}  // namespace rig::sim
