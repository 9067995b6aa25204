// SPDX-License-Identifier: GPL-3.0-or-later
#include "realtime.hpp"

#include <cerrno>

#include <gtest/gtest.h>

namespace vbench {
namespace {

TEST(ProcessorSplit, PacerAndGuestShareNoProcessor) {
    const auto split = ProcessorSplit::of_this_process();
    if (!split) GTEST_SKIP() << "this process may use one processor only";
    EXPECT_EQ(CPU_COUNT(&split->pacer), 1);
    EXPECT_GE(CPU_COUNT(&split->guest), 1);
    cpu_set_t shared;
    CPU_AND(&shared, &split->pacer, &split->guest);
    EXPECT_EQ(CPU_COUNT(&shared), 0);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(split->pacer_cpu), &split->pacer));
}

TEST(Realtime, ARefusalIsReportedWithItsReason) {
    EXPECT_EQ(describe_realtime(50, 0), "fifo 50");
    EXPECT_EQ(describe_realtime(50, EPERM), "refused: Operation not permitted");
}

}  // namespace
}  // namespace vbench
