// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/serial/serial_console.hpp"

#include <cerrno>
#include <cstring>
#include <libserialport.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace drivers {

namespace asio = boost::asio;
using rig::BenchError;
using rig::device::awaitable;

namespace {

/// What libserialport or the kernel said of the last call that failed.
std::string reason(sp_return code) {
    if (code != SP_ERR_FAIL) return "the port does not support it";
    const std::unique_ptr<char, decltype(&sp_free_error_message)> message(sp_last_error_message(),
                                                                          &sp_free_error_message);
    return message ? message.get() : "unknown";
}

int handle_of(const sp_port* port) {
    int descriptor = -1;
    if (sp_get_port_handle(port, &descriptor) != SP_OK) throw rig::RigError("an open serial port has no descriptor");
    return descriptor;
}

std::string hint_for(int error) {
    if (error == EACCES) return "add yourself to the group dialout, and log in again";
    if (error == ENOENT) return "is the adapter plugged in? rig list ports shows what is there";
    return "see dmesg";
}

}  // namespace

void SerialConsole::ClosePort::operator()(sp_port* port) const {
    sp_close(port);
    sp_free_port(port);
}

SerialConsole::SerialConsole(const asio::any_io_executor& executor, Choice choice, rig::Baud baud)
    : StreamConsole(executor), choice_(std::move(choice)), baud_(baud) {
    if (const auto* path = std::get_if<std::string>(&choice_)) name_ = *path;
}

SerialConsole::~SerialConsole() {
    stream_.release();  // libserialport closes it
}

awaitable<void> SerialConsole::open(rig::device::Deadline /*opening a tty with O_NONBLOCK does not wait*/) {
    if (const auto* choice = std::get_if<SerialPortChoice>(&choice_))
        name_ = choose_port(list_serial_ports(), *choice).name;
    open_port();
    lock();
    configure();
    stream_.assign(handle_of(port_.get()));
    co_return;
}

void SerialConsole::open_port() {
    sp_port* port = nullptr;
    if (sp_get_port_by_name(name_.c_str(), &port) != SP_OK)
        throw BenchError(fmt::format("the console {} is not there: {}", describe(), std::strerror(errno)),
                         "rig list ports shows what is there");
    port_.reset(port);
    const auto opened = sp_open(port, SP_MODE_READ_WRITE);
    if (opened == SP_OK) return;
    const int error = errno;
    const auto holders = holders_of(name_);
    throw BenchError(fmt::format("the console {} cannot be opened: {}{}", describe(), reason(opened),
                                 holders.empty() ? "" : ", it is held by " + holders),
                     error == EBUSY ? "end the other program" : hint_for(error));
}

void SerialConsole::lock() const {
    const int descriptor = handle_of(port_.get());
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const auto holders = holders_of(name_);
        throw BenchError(
            fmt::format("the console {} is in use by {}", describe(), holders.empty() ? "another program" : holders),
            "end it, or wait until it is done");
    }
    // TIOCEXCL alone does not stop root, and flock alone stops only those who ask.
    ::ioctl(descriptor, TIOCEXCL);
}

void SerialConsole::configure() const {
    auto* const port = port_.get();
    const std::array settings{sp_set_baudrate(port, static_cast<int>(baud_.value)), sp_set_bits(port, 8),
                              sp_set_parity(port, SP_PARITY_NONE), sp_set_stopbits(port, 1),
                              sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE)};
    for (const auto code : settings) {
        if (code != SP_OK)
            throw BenchError(
                fmt::format("the console {} cannot be set to {} 8N1: {}", describe(), baud_.value, reason(code)),
                "does the adapter know this rate?");
    }
    sp_port_config* made = nullptr;
    if (sp_new_config(&made) != SP_OK) throw rig::RigError("no memory for a serial port's settings");
    const std::unique_ptr<sp_port_config, decltype(&sp_free_config)> owner(made, &sp_free_config);
    int rate = 0;
    if (sp_get_config(port, made) != SP_OK || sp_get_config_baudrate(made, &rate) != SP_OK) rate = -1;
    if (rate != static_cast<int>(baud_.value))
        throw BenchError(fmt::format("the console {} was set to {} baud and reads back as {}", describe(), baud_.value,
                                     rate < 0 ? std::string("unknown") : std::to_string(rate)),
                         "the adapter does not know this rate: take another, or set console.baud to one that it knows");
}

awaitable<std::size_t> SerialConsole::read(std::span<std::byte> buffer) {
    while (true) {
        const auto [error] =
            co_await stream_.async_wait(asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable));
        if (closed_) co_return 0;
        if (error) throw_lost(error);
        const auto count = sp_nonblocking_read(port_.get(), buffer.data(), buffer.size());
        if (count > 0) co_return static_cast<std::size_t>(count);
        if (count < 0 || sp_input_waiting(port_.get()) < 0)
            throw_lost(boost::system::error_code(errno == 0 ? EIO : errno, boost::system::system_category()));
    }
}

void SerialConsole::close() {
    closed_ = true;
    boost::system::error_code ignored;
    stream_.cancel(ignored);
}

}  // namespace drivers
