// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/console/byte_log.hpp"
#include "rig/console/shell.hpp"
#include "rig/device/console.hpp"
#include "rig/lab/station.hpp"
#include "rig/time/units.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace rig::engine {

/// Types commands into the target's shell and reads their replies. It types only while the wire is idle and checks its
/// echo. One dialogue at a time; strand only.
class TargetShell {
public:
    /// All three must outlive it.
    TargetShell(device::Clock& clock, device::Console& console, console::ByteLog& log, Baud baud, lab::BootSpec boot);

    /// Whether the board was just switched on, or had been on for long and waits in silence for whoever comes.
    enum class Board { boots, is_up };

    /// Waits for the prompt, logs in where the console asks for it, and proves with a tag that a shell answers. A
    /// BenchError when none does, or the login is refused. A board that is up is woken with an Enter; one that boots
    /// is not: a boot loader would take it for the wish to stop.
    device::awaitable<void> reach_prompt(Board board, device::Deadline deadline);

    /// Becomes root in a shell of its own, as the station says; a BenchError when it does not.
    device::awaitable<void> become_root(device::Deadline deadline);

    /// Runs one command once. A DutError when the board died; a BenchError when the reply did not come whole.
    device::awaitable<console::Reply> run(std::string command, device::Deadline deadline);

    /// Runs a command that may be run twice: again when its reply was damaged on the way.
    device::awaitable<console::Reply> run_repeatable(std::string command, device::Deadline deadline);

    /// What a command that may be run twice writes, byte for byte: asked for again while its checksum does not fit or,
    /// on a target that has none, until it came twice the same. None when the command fails.
    device::awaitable<std::optional<std::string>> read_output(std::string command, device::Deadline deadline);

    /// The longest that a reply has taken so far beyond its time on the wire.
    [[nodiscard]] host_clock::duration response_time() const { return response_time_; }

    /// Whether a shell answers within the deadline.
    device::awaitable<bool> answers(device::Deadline deadline);

private:
    /// `patience` is how long nothing may come while the reply is awaited.
    device::awaitable<console::Reply> converse(std::string typed, std::string tag, device::Deadline deadline,
                                               host_clock::duration patience);
    void learn_response_time(host_clock::duration took, std::size_t bytes);
    device::awaitable<std::optional<console::Reply>> attempt(std::string typed, std::string tag,
                                                             device::Deadline deadline);
    device::awaitable<void> answer_login(device::Deadline deadline);
    device::awaitable<void> type_line(std::string text, device::Deadline deadline);
    device::awaitable<void> wait_idle(device::Deadline deadline);
    device::awaitable<void> type(std::string text, device::Deadline deadline);
    device::awaitable<bool> echo_came(std::size_t from, std::string typed, device::Deadline deadline);
    device::awaitable<void> wait_prompt(std::size_t from, device::Deadline deadline);
    std::string next_tag();
    void check_alive(std::size_t from) const;
    void check_no_reboot();

    device::Clock& clock_;
    device::Console& console_;
    console::ByteLog& log_;
    host_clock::duration frame_;
    lab::BootSpec boot_;
    std::string prompt_;
    std::size_t login_refused_from_ = 0;
    std::size_t login_answered_ = 0;  ///< up to where the console's questions are answered
    unsigned tags_ = 0;
    host_clock::duration response_time_{0};
    std::optional<std::size_t> boot_looked_at_{};  ///< up to where no boot was found; none before the first prompt
};

}  // namespace rig::engine
