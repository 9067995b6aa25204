// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/serial/pty_console.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace drivers {

namespace asio = boost::asio;
using rig::BenchError;
using rig::device::awaitable;

PtyConsole::PtyConsole(const asio::any_io_executor& executor, std::string path)
    : StreamConsole(executor), path_(std::move(path)) {}

awaitable<void> PtyConsole::open(rig::device::Deadline /*opening a tty with O_NONBLOCK does not wait*/) {
    const int descriptor = ::open(path_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        throw BenchError(fmt::format("the console {} cannot be opened: {}", describe(), std::strerror(errno)),
                         "is the program running that offers it?");
    stream_.assign(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        throw BenchError(fmt::format("the console {} is in use by another program", describe()),
                         "end it, or wait until it is done");
    termios settings{};
    if (::tcgetattr(descriptor, &settings) != 0)
        throw BenchError(fmt::format("the console {} is no terminal: {}", describe(), std::strerror(errno)),
                         "console.pty wants a path such as /dev/pts/3");
    // A pty answers and translates as a terminal does until it is told not to; cfmakeraw also has reads wait for a
    // byte.
    ::cfmakeraw(&settings);
    if (::tcsetattr(descriptor, TCSANOW, &settings) != 0)
        throw BenchError(fmt::format("the console {} cannot be made raw: {}", describe(), std::strerror(errno)));
    co_return;
}

}  // namespace drivers
