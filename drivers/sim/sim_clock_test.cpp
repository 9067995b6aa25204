// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_clock.hpp"

#include "rig/error.hpp"

#include <string>
#include <vector>

#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using Outcome = device::Timer::Outcome;

device::awaitable<void> note_after(device::Clock& clock, host_clock::duration span, std::string name,
                                   std::vector<std::string>& notes) {
    co_await device::pause(clock, span);
    notes.push_back(name);
}

device::awaitable<Outcome> wait_on(device::Timer& timer, host_time until) {
    co_return co_await timer.wait_until(until);
}

device::awaitable<void> cancel_and_note(device::Timer& timer, std::vector<std::string>& notes) {
    timer.cancel();
    notes.emplace_back("cancel returned");
    co_return;
}

device::awaitable<void> note_outcome(device::Timer& timer, std::vector<std::string>& notes) {
    const auto outcome = co_await timer.wait_until(host_time::max());
    notes.emplace_back(outcome == Outcome::cancelled ? "cancelled" : "expired");
}

device::awaitable<void> wait_for_signal(device::Clock& clock, device::Signal& signal) {
    co_await signal.wait(clock, host_time::max());
}

device::awaitable<bool> signal_or_timeout(device::Clock& clock, device::Signal& signal, host_time until) {
    co_return co_await signal.wait(clock, until);
}

device::awaitable<void> notify_after(device::Clock& clock, host_clock::duration span, device::Signal& signal) {
    co_await device::pause(clock, span);
    signal.notify();
}

device::awaitable<void> fail_after(device::Clock& clock, host_clock::duration span) {
    co_await device::pause(clock, span);
    throw BenchError("the cable is out");
}

device::awaitable<void> poll_for_ever(device::Clock& clock) {
    while (true) co_await device::pause(clock, 1min);
}

device::awaitable<std::size_t> first_of_two(device::Clock& clock) {
    using namespace asio::experimental::awaitable_operators;
    const auto winner = co_await (device::pause(clock, 2s) || device::pause(clock, 1h));
    co_return winner.index();
}

TEST(SimClock, TimeJumpsToWhatIsDueNext) {
    asio::io_context io;
    SimClock clock;
    std::vector<std::string> notes;
    asio::co_spawn(io, note_after(clock, 2h, "late", notes), asio::detached);
    asio::co_spawn(io, note_after(clock, 1s, "early", notes), asio::detached);
    clock.run(io);
    EXPECT_EQ(notes, (std::vector<std::string>{"early", "late"}));
    EXPECT_EQ(clock.now(), host_time{2h});
}

TEST(SimClock, WhatIsDueAtTheSameInstantHappensInTheOrderOfAsking) {
    asio::io_context io;
    SimClock clock;
    std::vector<std::string> notes;
    for (const char* name : {"a", "b", "c"}) asio::co_spawn(io, note_after(clock, 5ms, name, notes), asio::detached);
    clock.run(io);
    EXPECT_EQ(notes, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(SimClock, ACancelledWaitEndsAfterCancelReturned) {
    asio::io_context io;
    SimClock clock;
    const auto timer = clock.make_timer();
    std::vector<std::string> notes;
    asio::co_spawn(io, note_outcome(*timer, notes), asio::detached);
    asio::co_spawn(io, cancel_and_note(*timer, notes), asio::detached);
    clock.run(io);
    EXPECT_EQ(notes, (std::vector<std::string>{"cancel returned", "cancelled"}));
    EXPECT_EQ(clock.now(), host_time{});
}

TEST(SimClock, ATimerCanBeWaitedOnAgain) {
    asio::io_context io;
    SimClock clock;
    const auto timer = clock.make_timer();
    timer->cancel();
    EXPECT_EQ(clock.run_until_done(io, wait_on(*timer, host_time{1s})), Outcome::expired);
    EXPECT_EQ(clock.run_until_done(io, wait_on(*timer, host_time{3s})), Outcome::expired);
    EXPECT_EQ(clock.now(), host_time{3s});
}

TEST(SimClock, AWaitForThePastEndsNowAndTimeDoesNotGoBack) {
    asio::io_context io;
    SimClock clock;
    const auto timer = clock.make_timer();
    clock.run_until_done(io, wait_on(*timer, host_time{1s}));
    EXPECT_EQ(clock.run_until_done(io, wait_on(*timer, host_time{1ms})), Outcome::expired);
    EXPECT_EQ(clock.now(), host_time{1s});
}

TEST(SimClock, ASignalEndsAWaitBeforeItsTime) {
    device::Signal signal;
    asio::io_context io;
    SimClock clock;
    asio::co_spawn(io, notify_after(clock, 3s, signal), asio::detached);
    EXPECT_TRUE(clock.run_until_done(io, signal_or_timeout(clock, signal, host_time{10s})));
    EXPECT_EQ(clock.now(), host_time{3s});
    EXPECT_FALSE(clock.run_until_done(io, signal_or_timeout(clock, signal, host_time{10s})));
    EXPECT_EQ(clock.now(), host_time{10s});
}

TEST(SimClock, TheLoserOfAnOrIsCancelled) {
    asio::io_context io;
    SimClock clock;
    EXPECT_EQ(clock.run_until_done(io, first_of_two(clock)), 0U);
    EXPECT_EQ(clock.now(), host_time{2s});
}

TEST(SimClock, AnExceptionReachesTheCaller) {
    asio::io_context io;
    SimClock clock;
    EXPECT_THROW(clock.run_until_done(io, fail_after(clock, 1s)), BenchError);
}

TEST(SimClock, AWaitForWhatNobodyWillDoIsStuck) {
    device::Signal signal;
    asio::io_context io;
    SimClock clock;
    try {
        clock.run_until_done(io, wait_for_signal(clock, signal));
        FAIL() << "it ended";
    } catch (const RigError& error) {
        EXPECT_STREQ(error.what(), "the sim is stuck at 0.000000 s: nothing left to happen");
    }
}

TEST(SimClock, ALoopThatPollsForEverIsEnded) {
    asio::io_context io;
    SimClock clock;
    EXPECT_THROW(clock.run_until_done(io, poll_for_ever(clock)), RigError);
}

TEST(SimClock, RunEndsWhenOnlyEndlessWaitsAreLeft) {
    device::Signal signal;
    asio::io_context io;
    SimClock clock;
    asio::co_spawn(io, wait_for_signal(clock, signal), asio::detached);
    clock.run(io);
    SUCCEED();
}

TEST(SimClock, WaitsMayOutliveEitherTheClockOrTheContext) {
    device::Signal signal;
    {
        asio::io_context io;
        SimClock clock;
        asio::co_spawn(io, wait_for_signal(clock, signal), asio::detached);
        clock.run(io);
    }
    SimClock clock;
    asio::io_context io;
    asio::co_spawn(io, wait_for_signal(clock, signal), asio::detached);
    clock.run(io);
}

TEST(SimClock, AnEventThatIsDestroyedDoesNotHappen) {
    asio::io_context io;
    SimClock clock;
    std::vector<std::string> notes;
    auto kept = clock.at(host_time{1s}, [&notes] { notes.emplace_back("kept"); });
    {
        const auto dropped = clock.at(host_time{1s}, [&notes] { notes.emplace_back("dropped"); });
    }
    clock.run_until_done(io, device::pause(clock, 2s));
    EXPECT_EQ(notes, (std::vector<std::string>{"kept"}));
}

}  // namespace
}  // namespace rig::sim
