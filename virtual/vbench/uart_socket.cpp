// SPDX-License-Identifier: GPL-3.0-or-later
#include "uart_socket.hpp"

#include "trouble.hpp"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <system_error>

#include <fmt/format.h>

namespace vbench {

namespace {

int measure_slack(int guest_end, int pacer_end) {
    int written = 0;
    while (::send(guest_end, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) ++written;
    std::array<char, 64> sink{};
    for (int left = written; left > 0;) {
        const ssize_t taken = ::recv(pacer_end, sink.data(), sink.size(), MSG_DONTWAIT);
        if (taken <= 0) break;
        left -= static_cast<int>(taken);
    }
    return written;
}

}  // namespace

UartSocket UartSocket::open() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw BenchTrouble(
            fmt::format("no socket pair for the guest's UART: {}", std::generic_category().message(errno)));
    }
    UartSocket uart{.pacer_end = UniqueFd(ends[0]), .guest_end = UniqueFd(ends[1]), .slack_bytes = 0};
    const int smallest = 1;
    ::setsockopt(uart.guest_end.get(), SOL_SOCKET, SO_SNDBUF, &smallest, sizeof smallest);
    uart.slack_bytes = measure_slack(uart.guest_end.get(), uart.pacer_end.get());
    return uart;
}

}  // namespace vbench
