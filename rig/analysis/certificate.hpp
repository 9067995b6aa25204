// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/trial_result.hpp"
#include "rig/wire/burst.hpp"
#include "rig/wire/phase.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::analysis {

/// What the wire's side of a trial gave, as far as it is there.
struct WireEvidence {
    std::optional<wire::Trace> tx;
    std::optional<wire::Trace> heartbeat;
    wire::Decoded decoded;
    std::optional<wire::FrameRange> record;  ///< the frames of the record
    std::string record_bytes;                ///< as decoded
    std::optional<wire::PhaseReport> phase;
    std::string unreadable;  ///< why the capture could not be read; empty else
};

/// The certificate of a trial, from the rig's side only: no line looks at how well the accounts agree. Lines stand in
/// the order of cause and effect.
std::vector<CertificateLine> certify(const evidence::Bundle& bundle, const evidence::TrialRecord& record,
                                     const WireEvidence& wire, std::string_view console_record,
                                     const plan::CertificateLimits& limits);

/// The bench's own observation of a trial; a line that a copper station has not.
struct BenchObservation {
    /// A time for which something was held up.
    struct Delay {
        double seen_s = 0;  ///< since the start of the capture; it was over by then,
        double gap_s = 0;   ///< and not yet this long before
        double length_s = 0;
    };
    /// The delays of one kind in the bench's window.
    struct Delays {
        double longest_s = 0;
        std::vector<Delay> listed;  ///< those that fell into the capture; of many the longest
        double unlisted_s = 0;      ///< as long as this one can be that was left out of the list
    };
    Delays slips;  ///< the pacer was late for a frame
    Delays holds;  ///< the guest was ready to run and was not run
    std::optional<std::uint64_t>
        page_faults;                ///< for each the guest waited for a disk; older benches do not count them
    std::uint64_t late_events = 0;  ///< that came behind the samples in which they should show
};
std::optional<BenchObservation> read_observation(const evidence::Bundle& bundle, const evidence::TrialRecord& record);

/// The longest that reached into the record on the wire, or the longest at all where there is no record; seconds.
double longest_delay(const BenchObservation::Delays& delays, const WireEvidence& wire);

}  // namespace rig::analysis
