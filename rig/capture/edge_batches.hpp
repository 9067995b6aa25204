// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/capture/source.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rig::capture {

/// Makes stretches of the levels that a reader finds: drops what is no change, keeps the last of several levels within
/// one sample, and hands edges over when enough have come together, so that memory does not grow.
class EdgeBatches {
public:
    /// `channels` is how many channels are read; `sink` must outlive the batches.
    EdgeBatches(std::size_t channels, const StretchSink& sink);

    /// Channel number `channel` of those that are read has this level from sample `at` on. The first sample's level is
    /// low unless set. `at` never decreases.
    void set(std::size_t channel, std::uint64_t at, wire::Level level);

    /// Hands over the rest: the capture has this many samples.
    void finish(std::uint64_t samples);

private:
    struct Lane {
        wire::Level initial = wire::Level::low;
        wire::Level level = wire::Level::low;
        std::vector<wire::Edge> edges;
    };

    void hand_over(std::size_t channel, std::uint64_t until);

    const StretchSink& sink_;
    std::vector<Lane> lanes_;
    std::size_t batch_;
};

/// A RigError when a position in `selection` is not one of `channels` channels.
void check_selection(std::span<const std::size_t> selection, std::size_t channels);

}  // namespace rig::capture
