// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/sim_station.hpp"
#include "rig/analysis/analysis.hpp"
#include "tests/folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace rig::tests {

/// A whole run on the sim in virtual time: recorded, sealed, analysed.
struct SimRun {
    Folder folder;
    std::filesystem::path bundle;
    analysis::Result result;
    std::vector<sim::RecordTruth> truth;  ///< of every record printed
};

/// Whether rig switches the board, or finds it up.
enum class Supply { switched, always_on };

/// Runs `plan_text` on a sim of these parameters. `boot` are further words of the station's `boot: { … }`.
std::unique_ptr<SimRun> run_on_sim(const std::string& plan_text, sim::SimParameters parameters = {},
                                   const std::string& boot = {}, Supply supply = Supply::switched);

/// The names of a trial's certificate lines that are not ok.
std::vector<std::string> red_lines(const analysis::TrialResult& trial);

}  // namespace rig::tests
