// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drivers {

/// A serial port of this host as libserialport and sysfs describe it. What a port has not is empty.
struct SerialPort {
    std::string name;         ///< "/dev/ttyUSB0": changes when adapters are replugged
    std::string description;  ///< for people
    std::string usb_serial;   ///< of the adapter, "A10LK5HT"
    std::string usb_place;    ///< the USB interface it is plugged into, "1-1.4:1.0": bus, ports, interface
    std::string usb_ids;      ///< "0403:6001"

    bool operator==(const SerialPort&) const = default;
};

/// Which port is meant: the adapter of this serial number, or what is plugged in at this place. One of both may be
/// empty; with both, the place decides where the number does not (adapters without one, and those of many ports).
struct SerialPortChoice {
    std::string usb_serial;
    std::string usb_place;
};

/// All serial ports of this host, in order of their names.
std::vector<SerialPort> list_serial_ports();

/// The USB interface that a tty belongs to, from sysfs ("/sys/class/tty/ttyUSB0/device"); empty when it is none's.
std::string usb_place_of(const std::filesystem::path& sysfs, std::string_view tty);

/// The one port that is meant; a BenchError that lists what is there when none or more than one fits.
const SerialPort& choose_port(std::span<const SerialPort> ports, const SerialPortChoice& choice);

/// Who else has a device open, as "minicom (pid 1234)", those that this user may see; empty when nobody.
std::string holders_of(const std::filesystem::path& device);

}  // namespace drivers
