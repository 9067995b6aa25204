// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/printk_test.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::target {
namespace {

TEST(PrintkTest, TheTargetSaysWhatItsClocksAre) {
    const auto facts = parse_printk_test(
        "version: 1\nhz: 1000\njiffies: 4294668311\nsched_clock_ns: 1011000000\nsched_clock_step_ns: 41\n"
        "tick_model: one_per_interrupt\nnonce: 00000000\n");
    EXPECT_EQ(facts.clocks.tick_rate.value().hz, 1000U);
    EXPECT_EQ(facts.clocks.tick_model.value(), TickModel::one_per_interrupt);
    EXPECT_EQ(facts.clocks.clock_step.value(), std::chrono::nanoseconds{41});
}

TEST(PrintkTest, AFactThatIsNotStatedIsAbsent) {
    const auto facts = parse_printk_test("version: 1\n");
    EXPECT_FALSE(facts.clocks.tick_rate);
    EXPECT_FALSE(facts.clocks.tick_model);
    EXPECT_FALSE(facts.clocks.clock_step);
}

TEST(PrintkTest, AnUnknownTickModelIsNotGuessedAt) {
    EXPECT_THROW(parse_printk_test("version: 1\ntick_model: sometimes\n"), DutError);
    EXPECT_THROW(parse_printk_test("version: 1\nhz: many\n"), DutError);
    EXPECT_THROW(parse_printk_test("cat: can't open '/proc/printk_test'\n"), DutError);
}

}  // namespace
}  // namespace rig::target
