// SPDX-License-Identifier: GPL-3.0-or-later
#include "firmware.hpp"

#include "trouble.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vbench {
namespace {

using nlohmann::json;

std::string command_line(const Firmware& firmware) {
    return fmt::format("{}",
                       fmt::join(qemu_arguments(firmware, 115200, "highres=off nohz=off", MemoryWish::locked), " "));
}

TEST(Firmware, TheMachineIsWhatTargetJsonStates) {
    const auto target = json::parse(R"({
        "name": "vexpress-6.1", "hash": "abc", "kernel_release": "6.1.140",
        "files": {"kernel": "Image", "dtb": null, "initramfs": "root.gz"},
        "console": {"device": "ttyS0", "baud": 115200},
        "qemu": {"binary": "qemu-system-aarch64", "machine": "virt", "cpu": "cortex-a53", "memory_mib": 256, "smp": 4}})");
    EXPECT_EQ(command_line(firmware_from(target, "/firmware/vexpress")),
              "qemu-system-aarch64 -M virt -m 256 -cpu cortex-a53 -smp 4 -kernel /firmware/vexpress/Image "
              "-initrd /firmware/vexpress/root.gz -append console=ttyS0,115200 panic=-1 highres=off nohz=off "
              "-accel tcg,tb-size=64 -overcommit mem-lock=on -name board,debug-threads=on -nodefaults -display none "
              "-monitor none -chardev stdio,id=uart,signal=off "
              "-serial chardev:uart "
              "-trace pl061_write -trace pl061_reset -msg timestamp=on -D /dev/fd/3");
}

TEST(Firmware, WithoutATargetJsonItIsAVersatilepb) {
    const std::string line = command_line(firmware_from(json::object(), "/firmware/mine"));
    EXPECT_TRUE(
        line.starts_with("qemu-system-arm -M versatilepb -m 128 -cpu arm926 -kernel /firmware/mine/zImage "
                         "-dtb /firmware/mine/board.dtb -initrd /firmware/mine/initramfs.cpio.gz"));
}

TEST(Firmware, AFactOfTheWrongKindIsNamed) {
    const auto target = json::parse(R"({"qemu": {"memory_mib": "lots"}})");
    try {
        firmware_from(target, "/firmware/x");
        FAIL() << "was accepted";
    } catch (const BenchTrouble& trouble) {
        EXPECT_STREQ(trouble.what(),
                     "target.json: the value of 'memory_mib' is \"lots\", which is not of its kind; build the "
                     "firmware again");
    }
}

TEST(Firmware, OneThatIsNotBuiltIsAnsweredWithTheCommandThatBuildsIt) {
    try {
        find_firmware("no-such-board");
        FAIL() << "was found";
    } catch (const BenchTrouble& trouble) {
        EXPECT_TRUE(std::string(trouble.what()).ends_with("run firmware-target/build no-such-board"));
    }
}

}  // namespace
}  // namespace vbench
