// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/analysis.hpp"
#include "rig/evidence/bundle.hpp"

#include <filesystem>

namespace rig::cli {

constexpr auto result_file = "derived/result.json";

/// Analyses a bundle and writes what can be made again at will: derived/result.json and derived/report.html.
analysis::Result derive(const evidence::Bundle& bundle);

/// Writes derived/report.html of the derived/result.json that is there; its path.
std::filesystem::path write_report(const evidence::Bundle& bundle);

/// Prints the table of derived/result.json and where the report is, to standard output.
void print_outcome(const evidence::Bundle& bundle);

/// Refuses a bundle that is not what its manifest says: a BenchError that names the files. A run that was cut off left
/// no manifest: its evidence is used as it is, and standard error says so.
void refuse_damage(const evidence::Bundle& bundle);

}  // namespace rig::cli
