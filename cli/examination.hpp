// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/console/byte_log.hpp"
#include "rig/engine/engine.hpp"
#include "rig/engine/target_shell.hpp"
#include "rig/health/finding.hpp"
#include "rig/health/line_health.hpp"
#include "rig/lab/station.hpp"

#include <functional>
#include <string>

namespace rig::cli {

/// Looks at a station's instruments one after the other: opens the console and the analyzer, captures the lines at rest
/// and while the board speaks, and hands out what it found. Strand only.
class Examination {
public:
    using Report = std::function<void(const health::Finding&)>;

    /// The instruments and the station must outlive it.
    Examination(engine::Instruments instruments, const lab::Station& station, Report report);

    /// Everything, to the end; what fails becomes a finding. The board is off afterwards where rig can switch it.
    device::awaitable<void> all();

private:
    device::awaitable<void> read_console();
    device::awaitable<void> look_at_rest();
    device::awaitable<void> look_at_speech();
    device::awaitable<void> make_board_speak();
    device::awaitable<void> look_at_shell();
    device::awaitable<health::Traces> capture(std::chrono::milliseconds span,
                                              device::awaitable<void> (Examination::*during)());
    device::awaitable<void> nothing();
    device::awaitable<void> leave();
    /// Runs one look; a BenchError or a PlanError in it becomes a finding about `about`. Whether it came through.
    device::awaitable<bool> attempt(std::string about, device::awaitable<void> (Examination::*look)());
    device::awaitable<void> open_console_or_throw();
    device::awaitable<void> open_analyzer_or_throw();
    [[nodiscard]] device::Deadline within(std::chrono::seconds span, std::string what) const;

    engine::Instruments instruments_;
    const lab::Station& station_;
    Report report_;
    console::ByteLog log_;
    bool reading_ = false;
    bool speech_is_sound_ = true;  ///< as far as it was looked at: nobody finds a shell on a line that is not
    device::Signal read_ended_;
};

}  // namespace rig::cli
