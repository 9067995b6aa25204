// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ledger.hpp"
#include "realtime.hpp"
#include "uart_fifo.hpp"
#include "unique_fd.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vbench {

/// The descriptor that a guest finds open besides the standard ones.
inline constexpr int guest_trace_fd = 3;

/// How to start a guest.
struct GuestCommand {
    /// The program, found through PATH, and its arguments.
    std::vector<std::string> arguments;
    /// `NAME=value`, in addition to the bench's own environment.
    std::vector<std::string> environment;
    RealtimeWish realtime = RealtimeWish::automatic;
    /// Why real-time priority is not asked for in spite of the wish; empty when it is.
    std::string realtime_unwise;
    /// What the names of the threads that run the guest's code begin with, so that they can be told from those of its
    /// devices; empty when they cannot.
    std::string cpu_threads{};
    /// With real-time priority it keeps to these processors, when given.
    std::optional<cpu_set_t> cpus{};
};

/// A running guest: QEMU, or what a test runs in its place. It dies with the bench, however the bench dies, because the
/// kernel sends it SIGKILL when the thread that started it ends: so `start` is for the main thread only.
class GuestProcess {
public:
    /// Starts a guest with `uart` as its standard input and output and a pipe for its pin trace as descriptor 3. Throws
    /// BenchTrouble when the program is missing or cannot be run.
    static GuestProcess start(const GuestCommand& command, const UartEnds& uart);

    GuestProcess(GuestProcess&&) noexcept = default;
    GuestProcess& operator=(GuestProcess&&) = delete;
    /// Kills the guest and waits for its end.
    ~GuestProcess();

    /// Becomes readable when the guest has ended.
    [[nodiscard]] int end_fd() const { return pidfd_.get(); }
    /// The reading ends of the pin trace and of standard error; both do not block.
    [[nodiscard]] int trace_fd() const { return trace_.get(); }
    [[nodiscard]] int error_fd() const { return errors_.get(); }

    /// How it ended, in words, once `end_fd` is readable.
    [[nodiscard]] std::string await_end();

    /// Stops it executing; only its end lets it go.
    void suspend() const;

    /// Puts the guest's CPU threads behind its device threads (see realtime.hpp). True when there is nothing left to
    /// do; false when those threads have not started yet.
    [[nodiscard]] bool order_threads() const;

    /// The run delays of its threads since they began.
    [[nodiscard]] RunDelays run_delays() const;

    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] const std::string& realtime() const { return realtime_; }

private:
    GuestProcess() = default;

    pid_t pid_ = -1;
    UniqueFd pidfd_;
    UniqueFd trace_;
    UniqueFd errors_;
    std::string realtime_;
    std::string cpu_threads_;
};

/// Where PATH has a program; none when it has not.
std::optional<std::string> find_program(const std::string& name);

/// The first line that a program writes to standard output; empty when it cannot be run.
std::string first_line_of(const std::vector<std::string>& arguments);

}  // namespace vbench
