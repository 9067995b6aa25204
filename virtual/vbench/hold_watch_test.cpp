// SPDX-License-Identifier: GPL-3.0-or-later
#include "hold_watch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace vbench {
namespace {

TEST(HoldReader, ReadsOfAProcessThatIsNoMoreAreNothing) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    HoldReader reader(child);
    reader.look_for_threads();
    EXPECT_EQ(reader.read(), nanoseconds{0});
}

TEST(HoldReader, TheFirstReadingIsWhereCountingBegins) {
    HoldReader reader(::getpid());
    reader.look_for_threads();
    EXPECT_EQ(reader.read(), nanoseconds{0});
    EXPECT_GE(reader.read(), nanoseconds{0});
}

TEST(HoldWatch, WithoutAGuestNothingIsHeld) {
    HoldWatch watch(RealtimeWish::off, std::nullopt);
    watch.drain([](const Hold&) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace vbench
