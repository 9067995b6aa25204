// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rig::evidence {

/// What closing a bundle whose run was killed came to.
struct Recovery {
    enum class Outcome { was_whole, closed } outcome = Outcome::was_whole;
    std::size_t trials = 0;          ///< that the bundle holds now
    std::vector<std::string> notes;  ///< what was cut off and what was kept of it, a sentence each
};

/// Closes the bundle of a run that was killed: cuts half a line off events.jsonl, makes .sr files of the samples that
/// had come, gives a trial that was going on its record, and writes the manifest. A sealed bundle is left as it is. A
/// BenchError when the run is still going on, a PlanError when the folder is no bundle.
Recovery recover(const std::filesystem::path& bundle);

}  // namespace rig::evidence
