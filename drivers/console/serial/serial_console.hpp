// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/console/serial/serial_ports.hpp"
#include "drivers/console/stream_console.hpp"
#include "rig/time/units.hpp"

#include <memory>
#include <string>
#include <variant>

#include <boost/asio/posix/stream_descriptor.hpp>

struct sp_port;

namespace drivers {

/// A console on a serial port of this host, through libserialport: `console: { usb: { serial: … }, baud: … }`, or
/// `console: { tty: /dev/ttyS0, baud: … }` for a port whose name cannot change. 8N1, no flow control; what the port
/// made of the settings is read back. The port is locked against others (flock, then TIOCEXCL).
///
/// Measured with libserialport 0.1.1: after an unplug sp_blocking_read spins and sp_nonblocking_read gives 0, never an
/// error; a 0-byte read whose sp_input_waiting fails is the loss.
class SerialConsole final : public StreamConsole<boost::asio::posix::stream_descriptor> {
public:
    using Choice = std::variant<SerialPortChoice, std::string>;  ///< of the USB adapters, or a device's path

    SerialConsole(const boost::asio::any_io_executor& executor, Choice choice, rig::Baud baud);
    ~SerialConsole() override;

    rig::device::awaitable<void> open(rig::device::Deadline deadline) override;
    rig::device::awaitable<std::size_t> read(std::span<std::byte> buffer) override;
    void close() override;
    [[nodiscard]] std::string describe() const override { return "serial:" + name_; }

private:
    struct ClosePort {
        void operator()(sp_port* port) const;
    };

    void open_port();
    void lock() const;
    void configure() const;

    Choice choice_;
    rig::Baud baud_;
    std::string name_;
    std::unique_ptr<sp_port, ClosePort> port_;
};

}  // namespace drivers
