// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

std::string error_of(std::string_view text) {
    const auto fault = parse_fault(text);
    return fault ? "" : fault.error();
}

TEST(Faults, AFaultIsReadWithItsKeys) {
    const auto fault = parse_fault("analyzer-lose-block:capture=3,at=1000,samples=250");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::analyzer_lose_block);
    EXPECT_EQ(fault->capture, 3U);
    EXPECT_EQ(fault->at, 1000U);
    EXPECT_EQ(fault->samples, 250U);
}

TEST(Faults, AChannelIsNamed) {
    EXPECT_EQ(parse_fault("channel-unplug:channel=marker")->channel, Wire::marker);
    EXPECT_EQ(error_of("channel-unplug:channel=D7"), "fault channel 'D7' is not tx, rx or marker");
}

TEST(Faults, AnUnknownNameIsAnsweredWithTheKnownOnes) {
    EXPECT_EQ(error_of("analyser-close"),
              "there is no fault 'analyser-close'; known are analyzer-absent, analyzer-close, analyzer-lose-block, "
              "analyzer-pause, board-hang, board-reset, channel-invert, channel-stuck, channel-unplug, "
              "console-garbage, console-lose-byte, console-unplug, guest-held, pacer-stall, pin-late, probe-glitch");
}

TEST(Faults, AKeyOfAnotherFaultIsRefused) {
    EXPECT_EQ(error_of("analyzer-close:at=5,ms=3"),
              "'ms=3' means nothing to fault analyzer-close, which takes the keys at, capture");
    EXPECT_EQ(error_of("analyzer-absent:capture=1"),
              "'capture=1' means nothing to fault analyzer-absent, which takes no keys");
}

TEST(Faults, AMissingKeyIsNamed) {
    EXPECT_EQ(error_of("pacer-stall:byte=3"), "fault pacer-stall needs the key ms");
}

TEST(Faults, AValueThatIsNoNumberIsRefused) {
    EXPECT_EQ(error_of("analyzer-close:at=soon"), "fault key at wants a number, not 'soon'");
    EXPECT_EQ(error_of("board-hang:capture=0"), "fault key capture wants a number counted from 1, not '0'");
}

TEST(Faults, EveryRowOfTheTableIsReadBackFromItsText) {
    for (const std::string_view text :
         {"analyzer-absent", "analyzer-close:capture=2,at=10", "analyzer-lose-block:at=1,samples=2",
          "board-hang:byte=7", "channel-unplug:channel=rx", "console-lose-byte:byte=9", "console-unplug",
          "guest-held:byte=40,ms=5", "pacer-stall:byte=1,ms=20", "analyzer-pause:at=5,ms=9", "pin-late:ms=80",
          "probe-glitch:at=5,samples=1", "board-reset:capture=2,byte=7", "channel-invert:channel=tx",
          "channel-stuck:channel=marker", "console-garbage:byte=9"}) {
        const auto fault = parse_fault(text);
        ASSERT_TRUE(fault) << fault.error();
        EXPECT_EQ(text_of(*fault), text);
    }
    EXPECT_EQ(fault_table().size(), 16U);
}

TEST(FaultBoard, AFaultOfOneCaptureStrikesInNoOther) {
    FaultBoard board;
    board.add(*parse_fault("analyzer-close:capture=2,at=10"));
    board.add(*parse_fault("channel-unplug:channel=tx"));
    EXPECT_TRUE(board.in_capture(FaultKind::analyzer_close, 1).empty());
    EXPECT_EQ(board.in_capture(FaultKind::analyzer_close, 2).size(), 1U);
    EXPECT_EQ(board.probes(7)[0], ProbeState::in_the_air);
    EXPECT_EQ(board.probes(7)[2], ProbeState::sound);
    board.clear();
    EXPECT_FALSE(board.holds(FaultKind::channel_unplug));
}

}  // namespace
}  // namespace vbench
