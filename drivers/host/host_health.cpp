// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/host/host_health.hpp"

#include "drivers/console/serial/serial_ports.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace drivers {
namespace {

namespace fs = std::filesystem;
using rig::health::Finding;
using rig::health::Mark;

/// Programs that open every serial adapter they see, and what keeps them off one.
struct Meddler {
    std::string_view name;
    std::string_view does;
    std::string_view hint;
};
constexpr std::array meddlers{
    Meddler{"ModemManager", "types AT commands into every new serial adapter", "systemctl stop ModemManager"},
    Meddler{"brltty", "takes some serial adapters for Braille displays", "apt-get remove brltty"},
};

bool runs(const fs::path& proc, std::string_view name) {
    std::error_code code;
    for (const auto& process : fs::directory_iterator(proc, code)) {
        std::ifstream file(process.path() / "comm");
        std::string comm;
        if (std::getline(file, comm) && comm == name) return true;
    }
    return false;
}

bool is_serial_port(const rig::lab::ConsoleLine& line) {
    return std::holds_alternative<rig::lab::TtyLine>(line) || std::holds_alternative<rig::lab::UsbLine>(line);
}

void judge_meddlers(const HostPaths& paths, std::vector<Finding>& findings) {
    for (const auto& [name, does, hint] : meddlers) {
        if (runs(paths.proc, name))
            findings.push_back({Mark::doubtful, "host", fmt::format("{} runs: it {}", name, does), std::string(hint)});
    }
}

void judge_holders(const rig::lab::ConsoleLine& line, std::vector<Finding>& findings) {
    const auto* const tty = std::get_if<rig::lab::TtyLine>(&line);
    if (tty == nullptr) return;
    const auto holders = holders_of(tty->path);
    if (!holders.empty())
        findings.push_back(
            {Mark::bad, "console", fmt::format("{} is held by {}", tty->path, holders), "end the other program"});
}

/// fx2lafw boards are empty until libsigrok loads a program into them.
void judge_firmware(const std::string& driver, const HostPaths& paths, std::vector<Finding>& findings) {
    if (!driver.starts_with("fx2lafw")) return;
    for (const auto& folder : paths.firmware) {
        std::error_code code;
        for (const auto& entry : fs::directory_iterator(folder, code)) {
            if (!entry.path().filename().string().starts_with("fx2lafw-")) continue;
            findings.push_back({Mark::good, "analyzer", fmt::format("its firmware is in {}", folder.string()), ""});
            return;
        }
    }
    findings.push_back(
        {Mark::bad, "analyzer", "the firmware of fx2lafw is not installed", "apt-get install sigrok-firmware-fx2lafw"});
}

}  // namespace

std::vector<Finding> judge_host(const rig::lab::Station& station, const HostPaths& paths) {
    std::vector<Finding> findings;
    if (is_serial_port(station.console.line)) judge_meddlers(paths, findings);
    judge_holders(station.console.line, findings);
    judge_firmware(station.analyzer.sigrok, paths, findings);
    return findings;
}

}  // namespace drivers
