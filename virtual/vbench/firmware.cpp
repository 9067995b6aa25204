// SPDX-License-Identifier: GPL-3.0-or-later
#include "firmware.hpp"

#include "guest_process.hpp"
#include "trouble.hpp"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vbench {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

fs::path cache_folder() {
    if (const auto folder = variable("RIG_CACHE"); !folder.empty()) return folder;
    if (const auto folder = variable("XDG_CACHE_HOME"); !folder.empty()) return fs::path(folder) / "rig";
    return fs::path(variable("HOME")) / ".cache" / "rig";
}

/// Takes `object[key]` into `value`; leaves it as it is where the key is absent or null.
template <typename T>
void take(const json& object, const char* key, T& value) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return;
    try {
        value = found->get<T>();
    } catch (const json::exception&) {
        throw BenchTrouble(
            fmt::format("target.json: the value of '{}' is {}, which is not of its kind; build the firmware again", key,
                        found->dump()));
    }
}

json part(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_object() ? *found : json::object();
}

json read_target(const fs::path& folder) {
    std::ifstream file(folder / "target.json");
    if (!file) return json::object();
    json target = json::parse(file, nullptr, false);
    if (!target.is_object()) {
        throw BenchTrouble(
            fmt::format("{} holds no JSON object; build the firmware again", (folder / "target.json").string()));
    }
    return target;
}

void require(const fs::path& file, const Firmware& firmware) {
    if (fs::exists(file)) return;
    throw BenchTrouble(fmt::format("the firmware in {} has no {}; run firmware-target/build {}",
                                   firmware.folder.string(), file.filename().string(), firmware.name));
}

std::optional<fs::path> file_in(const fs::path& folder, const json& files, const char* key, const char* usual_name) {
    std::string name = usual_name;
    const auto stated = files.find(key);
    if (stated != files.end() && stated->is_null()) return std::nullopt;
    take(files, key, name);
    return folder / name;
}

}  // namespace

Firmware firmware_from(const json& target, const fs::path& folder) {
    Firmware firmware{.folder = folder, .name = folder.filename().string()};
    take(target, "name", firmware.name);
    take(target, "hash", firmware.hash);
    take(target, "kernel_release", firmware.kernel_release);
    take(part(target, "console"), "device", firmware.console);
    const json qemu = part(target, "qemu");
    take(qemu, "binary", firmware.qemu);
    take(qemu, "machine", firmware.machine);
    take(qemu, "cpu", firmware.cpu);
    take(qemu, "memory_mib", firmware.memory_mib);
    take(qemu, "smp", firmware.processors);
    take(part(target, "marker"), "pin", firmware.marker_pin);
    const json files = part(target, "files");
    firmware.kernel = file_in(folder, files, "kernel", "zImage").value_or(folder / "zImage");
    firmware.device_tree = file_in(folder, files, "dtb", "board.dtb");
    firmware.initramfs = file_in(folder, files, "initramfs", "initramfs.cpio.gz");
    return firmware;
}

Firmware find_firmware(const std::string& name_or_folder) {
    const bool is_folder = name_or_folder.find('/') != std::string::npos;
    const fs::path folder = is_folder ? fs::path(name_or_folder) : cache_folder() / "firmware" / name_or_folder;
    if (!fs::is_directory(folder)) {
        throw BenchTrouble(is_folder
                               ? fmt::format("there is no firmware folder {}", folder.string())
                               : fmt::format("firmware {} is not built (looked in {}); run firmware-target/build {}",
                                             name_or_folder, folder.parent_path().string(), name_or_folder));
    }
    // The link's target is kept: a build that finishes meanwhile must not change the board between two resets.
    Firmware firmware = firmware_from(read_target(folder), fs::canonical(folder));
    require(firmware.kernel, firmware);
    if (firmware.device_tree) require(*firmware.device_tree, firmware);
    if (firmware.initramfs) require(*firmware.initramfs, firmware);
    return firmware;
}

std::vector<std::string> qemu_arguments(const Firmware& firmware, unsigned baud, const std::string& append,
                                        MemoryWish memory) {
    const std::string extra = append.empty() ? "" : " " + append;
    std::vector<std::string> arguments{firmware.qemu, "-M", firmware.machine, "-m",
                                       fmt::format("{}", firmware.memory_mib)};
    const auto add = [&arguments](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
    if (!firmware.cpu.empty()) add({"-cpu", firmware.cpu});
    if (firmware.processors > 1) add({"-smp", fmt::format("{}", firmware.processors)});
    add({"-kernel", firmware.kernel.string()});
    if (firmware.device_tree) add({"-dtb", firmware.device_tree->string()});
    if (firmware.initramfs) add({"-initrd", firmware.initramfs->string()});
    add({"-append", fmt::format("console={},{} panic=-1{}", firmware.console, baud, extra)});
    // QEMU's own size for its translated code is a share of the host's memory; this holds a kernel many times over.
    add({"-accel", "tcg,tb-size=64"});
    if (memory == MemoryWish::locked) add({"-overcommit", "mem-lock=on"});
    add({"-name", "board,debug-threads=on"});
    add({"-nodefaults", "-display", "none", "-monitor", "none"});
    add({"-chardev", "stdio,id=uart,signal=off", "-serial", "chardev:uart"});
    add({"-trace", "pl061_write", "-trace", "pl061_reset", "-msg", "timestamp=on"});
    add({"-D", fmt::format("/dev/fd/{}", guest_trace_fd)});
    return arguments;
}

json to_json(const Firmware& firmware) {
    return {{"name", firmware.name}, {"hash", firmware.hash}, {"kernel_release", firmware.kernel_release}};
}

}  // namespace vbench
