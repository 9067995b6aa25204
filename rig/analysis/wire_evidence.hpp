// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/certificate.hpp"

namespace rig::analysis {

/// Reads a trial's capture, decodes its tx channel and looks for the record with the trial's nonce. What is missing or
/// unreadable is left out, with the reason. `marker` gets the marker's trace where it was recorded.
WireEvidence read_wire(const evidence::Bundle& bundle, const evidence::TrialRecord& record, Baud nominal,
                       std::optional<wire::Trace>& marker);

/// The longest stretch at which the marker is high and that overlaps the record; none when there is no such pulse.
std::optional<Span> find_marker_pulse(const wire::Trace& marker, const Span& record);

}  // namespace rig::analysis
