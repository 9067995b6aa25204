// SPDX-License-Identifier: GPL-3.0-or-later
#include "wire_log.hpp"

#include <algorithm>

namespace vbench {

LevelTrack::LevelTrack(Level at_rest) : oldest_(at_rest) {}

void LevelTrack::set(Picoseconds at, Level level) {
    if (before(end()) == level) return;
    const Picoseconds in_order = edges_.empty() ? at : std::max(at, edges_.back().at);
    edges_.push_back({.at = in_order, .level = level});
}

std::uint64_t LevelTrack::first_after(Picoseconds at) const {
    const auto later = std::ranges::upper_bound(edges_, at, {}, &Edge::at);
    return forgotten_ + static_cast<std::uint64_t>(later - edges_.begin());
}

const Edge& LevelTrack::edge(std::uint64_t number) const {
    return edges_[number - forgotten_];
}

Level LevelTrack::before(std::uint64_t number) const {
    return number == forgotten_ ? oldest_ : edges_[number - forgotten_ - 1].level;
}

void LevelTrack::forget_until(Picoseconds at) {
    while (!edges_.empty() && edges_.front().at <= at) {
        oldest_ = edges_.front().level;
        edges_.pop_front();
        ++forgotten_;
    }
}

WireLog::WireLog(UartTiming timing, Instant epoch)
    : timing_(timing),
      epoch_(epoch),
      tracks_{LevelTrack(Level::high), LevelTrack(Level::high), LevelTrack(Level::low)} {}

void WireLog::add_frame(Wire wire, Instant start, std::uint8_t byte) {
    LevelTrack& track = track_of(wire);
    const Picoseconds start_bit = since_epoch(start);
    track.set(start_bit, Level::low);
    for (int bit = 0; bit < 8; ++bit) {
        const auto level = ((byte >> bit) & 1) != 0 ? Level::high : Level::low;
        track.set(start_bit + timing_.bits(1 + bit), level);
    }
    track.set(start_bit + timing_.bits(9), Level::high);
}

void WireLog::set_marker(Instant at, Level level) {
    track_of(Wire::marker).set(since_epoch(at), level);
}

void WireLog::forget_until(Instant at) {
    for (LevelTrack& track : tracks_) track.forget_until(since_epoch(at));
}

const LevelTrack& WireLog::track(Wire wire) const {
    return tracks_[static_cast<std::size_t>(wire)];
}

LevelTrack& WireLog::track_of(Wire wire) {
    return tracks_[static_cast<std::size_t>(wire)];
}

}  // namespace vbench
