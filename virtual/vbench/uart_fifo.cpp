// SPDX-License-Identifier: GPL-3.0-or-later
#include "uart_fifo.hpp"

#include "trouble.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace vbench {

namespace {

constexpr int deepest_fifo = 16;

/// How long a guest that waits at a full FIFO may take to be back with its next byte: the host's own latency.
constexpr std::chrono::microseconds return_time{350};

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

Pipe open_pipe(int flags) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | flags) != 0)
        throw BenchTrouble(fmt::format("no pipe for the guest's UART: {}", std::generic_category().message(errno)));
    return {.read = UniqueFd(ends[0]), .write = UniqueFd(ends[1])};
}

void make_nonblocking(const UniqueFd& fd) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

void make_blocking(const UniqueFd& fd) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
}

/// Fills the pipe with one-byte writes and empties it again.
int measure_depth(const Pipe& pipe) {
    make_nonblocking(pipe.write);
    int depth = 0;
    while (::write(pipe.write.get(), "", 1) == 1) ++depth;
    make_blocking(pipe.write);
    std::array<char, 64> sink{};
    while (::read(pipe.read.get(), sink.data(), sink.size()) > 0) {
    }
    return depth;
}

}  // namespace

UartFifo UartFifo::open(int depth) {
    Pipe tx = open_pipe(O_DIRECT);
    const auto page = static_cast<int>(::sysconf(_SC_PAGESIZE));
    ::fcntl(tx.write.get(), F_SETPIPE_SZ, depth * page);
    make_nonblocking(tx.read);
    const int measured = measure_depth(tx);
    UniqueFd again(::fcntl(tx.write.get(), F_DUPFD_CLOEXEC, 0));

    Pipe rx = open_pipe(0);
    ::fcntl(rx.write.get(), F_SETPIPE_SZ, page);
    make_nonblocking(rx.write);
    return {.wire = {.tx = std::move(tx.read), .rx = std::move(rx.write)},
            .guest = {.tx = std::move(tx.write), .rx = std::move(rx.read)},
            .guest_tx_again = std::move(again),
            .depth = measured};
}

void wait_when_full(const UniqueFd& guest_tx) {
    make_blocking(guest_tx);
}

int fifo_depth_for(const UartTiming& timing) {
    int depth = deepest_fifo;
    while (depth > 1 && timing.frames(depth) > return_time) depth /= 2;
    return depth;
}

}  // namespace vbench
