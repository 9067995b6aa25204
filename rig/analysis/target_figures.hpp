// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/console_evidence.hpp"
#include "rig/analysis/trial_result.hpp"
#include "rig/target/facts.hpp"

/// The figures of a trial that the target measured itself, by whichever account it has. Each sets its figure and its
/// source, or says in `missing` why there is none.
namespace rig::analysis {

void measure_interval(TrialResult& result, const ConsoleEvidence& console, const target::ClockFacts& facts);

/// Needs the interval.
void measure_ticks(TrialResult& result, const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                   const ConsoleEvidence& console, const target::ClockFacts& facts);

void measure_irq_off(TrialResult& result, const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                     const ConsoleEvidence& console, const target::ClockFacts& facts);

}  // namespace rig::analysis
