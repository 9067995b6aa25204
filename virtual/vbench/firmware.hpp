// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace vbench {

/// A kernel with what it needs to boot, as `firmware-target/build` leaves it, and the QEMU machine that stands in for
/// its board.
struct Firmware {
    std::filesystem::path folder;
    std::string name{};
    std::string hash{};
    std::string kernel_release{};
    std::filesystem::path kernel{};
    std::optional<std::filesystem::path> device_tree{};
    std::optional<std::filesystem::path> initramfs{};
    std::string console = "ttyAMA0";
    std::string qemu = "qemu-system-arm";
    std::string machine = "versatilepb";
    std::string cpu = "arm926";
    unsigned memory_mib = 128;
    unsigned processors = 1;
    unsigned marker_pin = 0;
};

/// Finds a firmware: a folder when the text holds a slash, else a name under
/// `${RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rig}/firmware`. Facts that its `target.json` does not state keep the
/// values of the ARM926 versatilepb above. Throws BenchTrouble when it is not built or its target.json cannot be read.
Firmware find_firmware(const std::string& name_or_folder);

/// Reads the facts of a `target.json` (schema rig.firmware/1) for the firmware in `folder`. Throws BenchTrouble that
/// names the key at fault.
Firmware firmware_from(const nlohmann::json& target, const std::filesystem::path& folder);

/// Whether QEMU is to keep all its memory from being paged out.
enum class MemoryWish { pageable, locked };

/// The QEMU command line: UART on standard input and output, pin trace on descriptor 3.
std::vector<std::string> qemu_arguments(const Firmware& firmware, unsigned baud, const std::string& append,
                                        MemoryWish memory);

/// What the bench says about its firmware in its answers.
nlohmann::json to_json(const Firmware& firmware);

}  // namespace vbench
