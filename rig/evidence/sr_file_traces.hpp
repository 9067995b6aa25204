// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/evidence/sr_file.hpp"
#include "rig/wire/edges.hpp"

#include <span>
#include <vector>

namespace rig::evidence {

/// Reads channels of a capture as traces, in one pass over the file; the traces come in the order of `channels`. Memory
/// grows with the number of edges only.
std::vector<wire::Trace> read_traces(const SrFile& file, std::span<const SrChannel> channels);

}  // namespace rig::evidence
