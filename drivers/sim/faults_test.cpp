// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/faults.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

std::string message_of(std::string_view text) {
    try {
        parse_fault(text);
    } catch (const PlanError& error) {
        return error.message();
    }
    return "accepted";
}

TEST(SimFaults, AFaultIsReadWithItsKeys) {
    EXPECT_EQ(parse_fault("analyzer-lose-block:capture=2,at=1000,samples=500"),
              (Fault{.kind = FaultKind::analyzer_lose_block, .capture = 2, .at = 1000, .samples = 500}));
    EXPECT_EQ(parse_fault("channel-unplug:channel=marker"),
              (Fault{.kind = FaultKind::channel_unplug, .channel = "marker"}));
    EXPECT_EQ(parse_fault("analyzer-off-rate:ppm=-20000").ppm.value(), -20000);
}

TEST(SimFaults, AWrongFaultIsToldWhatWouldBeRight) {
    EXPECT_TRUE(
        message_of("analyser-close").starts_with("the sim has no fault 'analyser-close' (known: analyzer-absent, "));
    EXPECT_EQ(message_of("analyzer-close"), "the fault analyzer-close needs the key at");
    EXPECT_EQ(message_of("pacer-stall:byte=1,at=3"),
              "'at=3' means nothing to the fault pacer-stall (it takes: byte, ms, capture)");
    EXPECT_EQ(message_of("analyzer-absent:at=3"),
              "'at=3' means nothing to the fault analyzer-absent (it takes: no keys)");
    EXPECT_EQ(message_of("board-hang:byte=0"), "the fault key byte is 0 (it counts from 1)");
    EXPECT_EQ(message_of("board-hang:byte=x"), "the fault key byte wants a whole number, not 'x'");
    EXPECT_EQ(message_of("channel-unplug:channel=cts"),
              "the fault key channel is 'cts' (known: tx, rx, marker, heartbeat)");
}

TEST(SimFaults, AFaultStrikesInItsCaptureOrInEveryOne) {
    FaultBoard board({parse_fault("board-hang:capture=2,byte=5"), parse_fault("pacer-stall:byte=1,ms=3")});
    EXPECT_FALSE(board.at_byte(FaultKind::board_hang, 1, 5));
    EXPECT_TRUE(board.at_byte(FaultKind::board_hang, 2, 5));
    EXPECT_FALSE(board.at_byte(FaultKind::board_hang, 2, 6));
    EXPECT_TRUE(board.at_byte(FaultKind::pacer_stall, 7, 1));
    board.clear();
    EXPECT_FALSE(board.holds(FaultKind::pacer_stall));
}

TEST(SimFaults, EveryRowOfTheTableSaysWhatItDoesAndWhatItMustProduce) {
    for (const auto& row : fault_table()) {
        EXPECT_FALSE(row.strikes.empty()) << row.name;
        EXPECT_FALSE(row.must_produce.empty()) << row.name;
    }
}

}  // namespace
}  // namespace rig::sim
