// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/glitch.hpp"

#include <algorithm>
#include <span>

namespace rig::wire {

namespace {

__extension__ using wide = unsigned __int128;

/// The shortest pulse, in samples, that is no glitch: 3/8 bit, rounded up.
std::uint64_t shortest_symbol(SampleRate rate, picoseconds bit_time) {
    const wide eighths = static_cast<wide>(bit_time.count()) * 3 * rate.hz;
    constexpr wide second_in_eighths = static_cast<wide>(8) * 1'000'000'000'000ULL;
    return static_cast<std::uint64_t>((eighths + second_in_eighths - 1) / second_in_eighths);
}

/// A run of short pulses: its edges, first to last; the pulses lie between neighbouring edges.
class ShortPulses {
public:
    explicit ShortPulses(std::span<const Edge> edges) : edges_(edges) {
        for (std::size_t i = 0; i + 1 < edges_.size(); ++i) (i % 2 == 0 ? new_level_ : old_level_) += width(i);
    }

    /// Samples spent at the level that the first edge leads to.
    [[nodiscard]] std::uint64_t new_level() const { return new_level_; }
    /// Samples spent back at the level before the group.
    [[nodiscard]] std::uint64_t old_level() const { return old_level_; }
    [[nodiscard]] bool returns_to_old_level() const { return edges_.size() % 2 == 0; }

    void settle(std::uint64_t limit, CleanLine& line) const {
        if (std::min(new_level_, old_level_) >= limit) return keep(line);
        if (!returns_to_old_level()) return become_one_edge(line);
        if (new_level_ < limit) return report_pulses(0, line);
        line.edges.push_back(edges_.front());
        line.edges.push_back(edges_.back());
        report_pulses(1, line);
    }

private:
    [[nodiscard]] std::uint64_t width(std::size_t pulse) const {
        return edges_[pulse + 1].at.value - edges_[pulse].at.value;
    }

    void keep(CleanLine& line) const {
        line.edges.insert(line.edges.end(), edges_.begin(), edges_.end());
        report_pulses(new_level_ <= old_level_ ? 0 : 1, line);
    }

    void become_one_edge(CleanLine& line) const {
        line.edges.push_back({SampleIndex{edges_.front().at.value + old_level_}, edges_.front().level});
        report_pulses(new_level_ <= old_level_ ? 0 : 1, line);
    }

    void report_pulses(std::size_t first, CleanLine& line) const {
        for (std::size_t i = first; i + 1 < edges_.size(); i += 2) line.glitches.push_back({edges_[i].at, width(i)});
    }

    std::span<const Edge> edges_;
    std::uint64_t new_level_ = 0;
    std::uint64_t old_level_ = 0;
};

}  // namespace

bool is_clean(const Trace& trace, picoseconds bit_time) {
    const std::uint64_t limit = shortest_symbol(trace.rate, bit_time);
    const std::vector<Edge>& edges = trace.edges;
    std::uint64_t shortest = limit;
    for (std::size_t i = 1; i < edges.size(); ++i)
        shortest = std::min(shortest, edges[i].at.value - edges[i - 1].at.value);
    return shortest >= limit;
}

CleanLine remove_glitches(const Trace& trace, picoseconds bit_time) {
    const std::uint64_t limit = shortest_symbol(trace.rate, bit_time);
    const std::span<const Edge> edges = trace.edges;
    CleanLine line;
    line.edges.reserve(edges.size());
    std::size_t i = 0;
    while (i < edges.size()) {
        std::size_t last = i;
        while (last + 1 < edges.size() && edges[last + 1].at.value - edges[last].at.value < limit) ++last;
        if (last == i)
            line.edges.push_back(edges[i]);
        else
            ShortPulses(edges.subspan(i, last - i + 1)).settle(limit, line);
        i = last + 1;
    }
    return line;
}

}  // namespace rig::wire
