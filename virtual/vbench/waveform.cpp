// SPDX-License-Identifier: GPL-3.0-or-later
#include "waveform.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace vbench {

namespace {

constexpr std::uint64_t heartbeat_halves_per_second = 2000;

std::size_t index(Wire wire) {
    return static_cast<std::size_t>(wire);
}

std::uint8_t bit(Channel channel, Level level) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(level) << static_cast<unsigned>(channel));
}

}  // namespace

Waveform::Waveform(const WireLog& log, Instant start, SampleClock clock, const Probes& probes,
                   std::vector<Glitch> glitches)
    : log_(&log),
      start_(log.since_epoch(start)),
      clock_(clock),
      states_(probes),
      glitches_(std::move(glitches)),
      sampled_until_(start_) {
    for (const Wire wire : all_wires) {
        const LevelTrack& track = log_->track(wire);
        const std::uint64_t next_edge = track.first_after(start_);
        probes_[index(wire)] = {.next_edge = next_edge, .level = track.before(next_edge)};
    }
}

void Waveform::fill(std::span<std::uint8_t> samples) {
    fill_with(samples);
}
void Waveform::fill(std::span<std::uint16_t> samples) {
    fill_with(samples);
}

template <typename Sample>
void Waveform::fill_with(std::span<Sample> samples) {
    auto out = samples.begin();
    const std::uint64_t end = next_ + samples.size();
    while (next_ < end) {
        std::uint64_t until = std::min({end, end_of_heartbeat_half(), end_of_glitch_state()});
        for (const Wire wire : all_wires) until = advance(wire, until);
        const auto run = static_cast<std::ptrdiff_t>(until - next_);
        std::fill_n(out, run, static_cast<Sample>(value()));
        out += run;
        next_ = until;
    }
    if (!samples.empty()) sampled_until_ = start_ + clock_.time_of(next_ - 1);
}

/// Brings a probe to its level at the next sample; gives the sample up to which that level holds, `limit` at most.
std::uint64_t Waveform::advance(Wire wire, std::uint64_t limit) {
    const LevelTrack& track = log_->track(wire);
    Probe& probe = probes_[index(wire)];
    if (probe.next_edge < track.begin()) {
        // Edges that were reported after their samples had been taken: what they left shows from here on.
        probe.next_edge = track.begin();
        probe.level = track.before(probe.next_edge);
    }
    while (probe.next_edge < track.end()) {
        const Edge& edge = track.edge(probe.next_edge);
        const std::uint64_t shows_in = sample_of(edge);
        if (shows_in > next_) return std::min(limit, shows_in);
        probe.level = edge.level;
        ++probe.next_edge;
    }
    return limit;
}

std::uint64_t Waveform::sample_of(const Edge& edge) const {
    return clock_.first_at_or_after(edge.at - start_);
}

Level Waveform::heartbeat() const {
    const std::uint64_t half = next_ * heartbeat_halves_per_second / clock_.rate();
    return half % 2 == 0 ? Level::high : Level::low;
}

std::uint64_t Waveform::end_of_heartbeat_half() const {
    const std::uint64_t following = next_ * heartbeat_halves_per_second / clock_.rate() + 1;
    return (following * clock_.rate() + heartbeat_halves_per_second - 1) / heartbeat_halves_per_second;
}

/// The next sample at which a glitch begins or ends.
std::uint64_t Waveform::end_of_glitch_state() const {
    std::uint64_t until = std::numeric_limits<std::uint64_t>::max();
    for (const Glitch& glitch : glitches_) {
        for (const std::uint64_t change : {glitch.at, glitch.at + glitch.samples}) {
            if (change > next_) until = std::min(until, change);
        }
    }
    return until;
}

bool Waveform::glitched() const {
    return std::ranges::any_of(
        glitches_, [this](const Glitch& glitch) { return next_ >= glitch.at && next_ - glitch.at < glitch.samples; });
}

Level Waveform::seen(Wire wire) const {
    const Level level = wire == Wire::tx && glitched() ? Level::low : probes_[index(wire)].level;
    switch (states_[index(wire)]) {
        case ProbeState::sound:
            return level;
        case ProbeState::in_the_air:
            return wire == Wire::marker ? Level::low : Level::high;
        case ProbeState::stuck_low:
            return Level::low;
        case ProbeState::inverted:
            return level == Level::low ? Level::high : Level::low;
    }
    return level;
}

std::uint8_t Waveform::value() const {
    return static_cast<std::uint8_t>(bit(Channel::tx, seen(Wire::tx)) | bit(Channel::rx, seen(Wire::rx)) |
                                     bit(Channel::marker, seen(Wire::marker)) | bit(Channel::heartbeat, heartbeat()));
}

}  // namespace vbench
