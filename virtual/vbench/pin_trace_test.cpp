// SPDX-License-Identifier: GPL-3.0-or-later
#include "pin_trace.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

constexpr std::string_view first_block = "/machine/unattached/device[15]";

PinTraceEvent write(std::string_view device, std::uint64_t offset, std::uint64_t value) {
    return {.realtime = {}, .device = device, .kind = PinTraceEvent::Kind::write, .offset = offset, .value = value};
}

PinTraceEvent reset(std::string_view device) {
    return {.realtime = {}, .device = device, .kind = PinTraceEvent::Kind::reset};
}

TEST(PinTrace, AWriteIsReadWithItsTimeBlockOffsetAndValue) {
    const auto event =
        parse_pin_trace("4954@1796072711.000578:pl061_write /machine/unattached/device[15] offset 0x3fc value 0xa1");
    ASSERT_TRUE(event);
    EXPECT_EQ(event->realtime, std::chrono::microseconds(1796072711'000578));
    EXPECT_EQ(event->device, first_block);
    EXPECT_EQ(event->kind, PinTraceEvent::Kind::write);
    EXPECT_EQ(event->offset, 0x3fcU);
    EXPECT_EQ(event->value, 0xa1U);
}

TEST(PinTrace, AResetIsRead) {
    const auto event = parse_pin_trace("1@2.000003:pl061_reset /machine/unattached/device[18] reset");
    ASSERT_TRUE(event);
    EXPECT_EQ(event->kind, PinTraceEvent::Kind::reset);
}

TEST(PinTrace, OtherLinesAreNotEvents) {
    for (const std::string_view line :
         {"", "qemu-system-arm: terminating on signal 15",
          "4954@1796072711.255680:pl061_set_output /machine/x setting output 0 to 1",
          "4954@1796072711.255680:pl061_write /machine/x offset 0x4", "4954@1796072711:pl061_reset /machine/x reset",
          "4954@1796072711.1:pl061_write /machine/x offset 0x4 value 0x1 and more"}) {
        EXPECT_FALSE(parse_pin_trace(line)) << line;
    }
}

TEST(Pl061, APinFollowsTheDataRegisterOnceItIsAnOutput) {
    Pl061 block;
    block.apply(write(first_block, 0x4, 1));
    EXPECT_EQ(block.level(0), Level::low);
    block.apply(write(first_block, 0x400, 1));
    block.apply(write(first_block, 0x4, 1));
    EXPECT_EQ(block.level(0), Level::high);
    block.apply(write(first_block, 0x4, 0));
    EXPECT_EQ(block.level(0), Level::low);
}

TEST(Pl061, TheAddressMasksTheBitsWritten) {
    Pl061 block;
    block.apply(write(first_block, 0x400, 0xff));
    block.apply(write(first_block, 0x4, 0xff));
    EXPECT_EQ(block.level(0), Level::high);
    EXPECT_EQ(block.level(1), Level::low);
    block.apply(write(first_block, 0x8, 0));
    EXPECT_EQ(block.level(0), Level::high);
}

TEST(MarkerPin, IsOnTheBlockThatTheBoardCreatedFirst) {
    MarkerPin marker(0);
    marker.apply(reset("/machine/unattached/device[18]"));
    marker.apply(reset(first_block));
    EXPECT_FALSE(marker.apply(reset("/machine/unattached/device[16]")));
    EXPECT_FALSE(marker.apply(write("/machine/unattached/device[18]", 0x400, 1)));
    EXPECT_EQ(marker.apply(write(first_block, 0x400, 1)), Level::low);
    EXPECT_EQ(marker.apply(write(first_block, 0x4, 1)), Level::high);
}

TEST(MarkerPin, DeviceNineComesBeforeDeviceTen) {
    MarkerPin marker(0);
    marker.apply(reset("/machine/unattached/device[10]"));
    EXPECT_TRUE(marker.apply(reset("/machine/unattached/device[9]")));
    EXPECT_FALSE(marker.apply(reset("/machine/unattached/device[10]")));
}

TEST(MarkerPin, IsLowAfterAReset) {
    MarkerPin marker(0);
    marker.apply(write(first_block, 0x400, 1));
    EXPECT_EQ(marker.apply(write(first_block, 0x4, 1)), Level::high);
    EXPECT_EQ(marker.apply(reset(first_block)), Level::low);
}

}  // namespace
}  // namespace vbench
