// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rig::evidence {

/// What a manifest says of the run besides its files.
struct RunInfo {
    std::string rig_version;
    std::string plan;
    std::string station;
    std::string started_utc;  ///< "2026-11-30T21:04:05Z"
};

/// Seals a bundle: sha256 and size of every file of evidence (all but manifest.json and derived/), by rename.
void write_manifest(const std::filesystem::path& bundle, const RunInfo& info);

/// What a bundle's manifest says of the run. A PlanError when there is none or it is not one.
RunInfo read_manifest(const std::filesystem::path& bundle);

/// Whether a bundle has a manifest at all: a run that was cut off leaves none.
bool is_sealed(const std::filesystem::path& bundle);

/// Every file that is not what the manifest says, as one sentence each; empty when the bundle is whole.
std::vector<std::string> find_damage(const std::filesystem::path& bundle);

}  // namespace rig::evidence
