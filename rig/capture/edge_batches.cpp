// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/edge_batches.hpp"

#include "rig/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rig::capture {

namespace {

constexpr std::size_t largest_batch = 32UL * 1024;
constexpr std::size_t smallest_batch = 64;
/// Edges that may wait in all channels together: 16 MiB.
constexpr std::size_t waiting_edges = 1024UL * 1024;

}  // namespace

EdgeBatches::EdgeBatches(std::size_t channels, const StretchSink& sink)
    : sink_(sink),
      lanes_(channels),
      batch_(std::clamp(waiting_edges / std::max<std::size_t>(channels, 1), smallest_batch, largest_batch)) {}

void EdgeBatches::set(std::size_t channel, std::uint64_t at, wire::Level level) {
    Lane& lane = lanes_[channel];
    if (level == lane.level) return;
    lane.level = level;
    if (at == 0) {
        lane.initial = level;
    } else if (!lane.edges.empty() && lane.edges.back().at.value == at) {
        // There and back within one sample: as if it had not been.
        lane.edges.pop_back();
    } else {
        if (lane.edges.size() >= batch_) hand_over(channel, at);
        lane.edges.push_back({SampleIndex{at}, level});
    }
}

void EdgeBatches::finish(std::uint64_t samples) {
    for (std::size_t channel = 0; channel < lanes_.size(); ++channel) hand_over(channel, samples);
}

void EdgeBatches::hand_over(std::size_t channel, std::uint64_t until) {
    Lane& lane = lanes_[channel];
    sink_({channel, lane.initial, until, lane.edges});
    lane.edges.clear();
}

void check_selection(std::span<const std::size_t> selection, std::size_t channels) {
    for (const std::size_t position : selection)
        if (position >= channels)
            throw RigError(fmt::format("channel {} of a capture with {} was to be read", position, channels));
}

}  // namespace rig::capture
