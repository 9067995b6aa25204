// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/console/kernel_log.hpp"
#include "rig/evidence/bundle.hpp"

#include <optional>
#include <string>

namespace rig::analysis {

/// What the console says of the trial: its record, the interval around it, and the record that was stored next.
struct ConsoleEvidence {
    std::string record_bytes;
    std::optional<console::Record> record;
    std::optional<console::IntervalRecord> interval;
    std::optional<console::Record> next;  ///< the short record stored behind it
};

/// Finds them by the trial's nonce, on the console and in the kernel's own log where that was kept.
ConsoleEvidence read_console(const evidence::Bundle& bundle, const evidence::TrialRecord& trial);

/// The text of a file that the target gave in this trial; nothing where it gave none.
std::optional<std::string> file_of(const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                                   const std::string& name);

}  // namespace rig::analysis
