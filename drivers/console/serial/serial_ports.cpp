// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/serial/serial_ports.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <fstream>
#include <libserialport.h>
#include <memory>
#include <regex>
#include <unistd.h>

#include <fmt/format.h>

namespace drivers {
namespace {

namespace fs = std::filesystem;
using rig::BenchError;

std::string text_or_empty(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

SerialPort describe(const sp_port* port) {
    SerialPort found{.name = text_or_empty(sp_get_port_name(port)),
                     .description = text_or_empty(sp_get_port_description(port)),
                     .usb_serial = {},
                     .usb_place = {},
                     .usb_ids = {}};
    if (sp_get_port_transport(port) != SP_TRANSPORT_USB) return found;
    found.usb_serial = text_or_empty(sp_get_port_usb_serial(port));
    found.usb_place = usb_place_of("/sys", fs::path(found.name).filename().string());
    int vendor = 0;
    int product = 0;
    if (sp_get_port_usb_vid_pid(port, &vendor, &product) == SP_OK)
        found.usb_ids = fmt::format("{:04x}:{:04x}", vendor, product);
    return found;
}

bool fits(const SerialPort& port, const SerialPortChoice& choice) {
    return choice.usb_serial.empty() ? port.usb_place == choice.usb_place : port.usb_serial == choice.usb_serial;
}

std::string show(const SerialPortChoice& choice) {
    if (choice.usb_serial.empty()) return fmt::format("at USB place {}", choice.usb_place);
    if (choice.usb_place.empty()) return fmt::format("with USB serial number {}", choice.usb_serial);
    return fmt::format("with USB serial number {} or at {}", choice.usb_serial, choice.usb_place);
}

std::string list_usb(std::span<const SerialPort> ports) {
    std::string text;
    for (const auto& port : ports) {
        if (port.usb_place.empty() && port.usb_serial.empty()) continue;
        text += fmt::format("{}{} (serial {}, at {})", text.empty() ? "" : ", ", port.name,
                            port.usb_serial.empty() ? "none" : port.usb_serial, port.usb_place);
    }
    return text.empty() ? "no USB serial adapter is plugged in: see dmesg" : "there are " + text;
}

std::string first_line_of(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

bool has_open(const fs::path& process, const fs::path& device) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(process / "fd", code)) {
        std::error_code unreadable;
        if (fs::read_symlink(entry.path(), unreadable) == device && !unreadable) return true;
    }
    return false;
}

}  // namespace

std::vector<SerialPort> list_serial_ports() {
    sp_port** list = nullptr;
    if (sp_list_ports(&list) != SP_OK) return {};
    const std::unique_ptr<sp_port*, decltype(&sp_free_port_list)> owner(list, &sp_free_port_list);
    std::vector<SerialPort> ports;
    for (sp_port** port = list; *port != nullptr; ++port) ports.push_back(describe(*port));
    std::ranges::sort(ports, {}, &SerialPort::name);
    return ports;
}

std::string usb_place_of(const fs::path& sysfs, std::string_view tty) {
    static const std::regex interface("[0-9]+-[0-9.]+:[0-9]+\\.[0-9]+");
    std::error_code code;
    const auto device = fs::canonical(sysfs / "class/tty" / tty / "device", code);
    if (code) return {};
    std::string place;
    for (const auto& part : device) {
        if (std::regex_match(part.string(), interface)) place = part.string();
    }
    return place;
}

const SerialPort& choose_port(std::span<const SerialPort> ports, const SerialPortChoice& choice) {
    std::vector<const SerialPort*> fitting;
    for (const auto& port : ports) {
        if (fits(port, choice)) fitting.push_back(&port);
    }
    if (fitting.size() != 1 && !choice.usb_serial.empty() && !choice.usb_place.empty())
        std::erase_if(fitting, [&](const auto* port) { return port->usb_place != choice.usb_place; });
    if (fitting.empty() && !choice.usb_serial.empty() && !choice.usb_place.empty())
        return choose_port(ports, {.usb_serial = {}, .usb_place = choice.usb_place});
    if (fitting.empty()) throw BenchError(fmt::format("no serial port {} is there", show(choice)), list_usb(ports));
    if (fitting.size() > 1)
        throw BenchError(fmt::format("{} serial ports fit: more than one is {}", fitting.size(), show(choice)),
                         list_usb(ports) + "; add or: PLACE to console.usb");
    return *fitting.front();
}

std::string holders_of(const fs::path& device) {
    std::error_code code;
    const auto target = fs::canonical(device, code);
    if (code) return {};
    std::string holders;
    for (const auto& process : fs::directory_iterator("/proc", code)) {
        const auto pid = process.path().filename().string();
        if (!std::ranges::all_of(pid, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
        if (pid == std::to_string(::getpid()) || !has_open(process.path(), target)) continue;
        holders +=
            fmt::format("{}{} (pid {})", holders.empty() ? "" : ", ", first_line_of(process.path() / "comm"), pid);
    }
    return holders;
}

}  // namespace drivers
