// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/first_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace rig::wire {

namespace {

// Prices in bits, that is -log2 of how likely a working line shows such a thing. A gap may have any length: naming one
// of some ten bits in steps of a sample takes six to eight bits; six did best on generated captures that were cut at
// random. An error on a line that works is rarer than any gap.
constexpr double gap_price = 6;
/// The same gap again is the habit of a transmitter.
constexpr double same_gap_price = 1;
constexpr double same_gap_bits = 0.5;
constexpr double framing_price = 12;
constexpr double parity_price = 6;
constexpr double noise_price = 4;

/// A capture whose first edge is a falling one this soon was most likely triggered by it: then a story that makes it a
/// data bit of a cut-off frame pays for the coincidence.
constexpr double trigger_bits = 1;
constexpr double no_trigger_price = 4;

/// Rivals meet within a few frames, or never (a line full of 'U' looks the same from every bit on).
constexpr std::size_t frames_compared = 32;
/// A frame has at most six falling edges; where there are many more, the line is not at this rate, and no story is
/// true.
constexpr std::size_t most_rivals = 16;

/// One frame of a story: the edge it starts at, what telling it costs, and where it ends.
struct Step {
    std::size_t edge = 0;
    double price = 0;
};

/// What the line would say if the frames began at a given edge.
struct Story {
    std::size_t first_edge = 0;
    double prologue = 0;
    std::vector<Step> steps;
};

class Chronicler {
public:
    Chronicler(const FrameReader& reader, std::uint64_t origin) : reader_(reader), origin_(origin) {
        const std::size_t fall = reader.next_fall(0);
        looks_triggered_ = fall == 0 && !reader.edges().empty() && reader.bits(sample(fall)) < trigger_bits;
    }

    [[nodiscard]] bool certain(std::size_t fall) const { return mark_before(fall) >= frame_bits(reader_.format()); }

    [[nodiscard]] Story story_from(std::size_t edge) const {
        Story story;
        story.first_edge = edge;
        story.prologue = prologue(edge);
        std::size_t at = edge;
        double last_gap = 0;
        while (story.steps.size() < frames_compared && at < reader_.edges().size()) {
            const FrameReader::Reading reading = reader_.read(at);
            if (reading.outcome == FrameReader::Outcome::cut_off) {
                story.steps.push_back({at, price_of_cut_off(at)});
                at = reader_.edges().size();
                break;
            }
            const std::size_t next = reading.next_edge;
            const double gap = gap_after(reading, at);
            story.steps.push_back({at, price(reading) + price_of_gap(gap, last_gap)});
            if (gap > 0) last_gap = gap;
            at = next;
            if (at < reader_.edges().size() && certain(at)) break;
        }
        story.steps.push_back({at, 0});
        return story;
    }

private:
    [[nodiscard]] std::uint64_t sample(std::size_t edge) const { return reader_.edges()[edge].at.value; }

    [[nodiscard]] double mark_before(std::size_t fall) const {
        const std::uint64_t rise = fall == 0 ? 0 : sample(fall - 1);
        return reader_.bits(sample(fall) - std::max(rise, origin_));
    }

    /// What the beginning up to `edge` costs when it is the rest of a frame: that the capture began inside one at all,
    /// and that frame's data bits, which end with the last rise.
    [[nodiscard]] double prologue(std::size_t edge) const {
        const std::size_t before = reader_.edges().size() < edge ? reader_.edges().size() : edge;
        const std::uint64_t rise = before == 0 ? 0 : sample(before - 1);
        if (rise <= origin_) return 0;
        const bool idles = edge < reader_.edges().size() && mark_before(edge) > 1.5;
        return (looks_triggered_ ? no_trigger_price : 0) + reader_.bits(rise - origin_) + (idles ? gap_price : 0);
    }

    /// A frame that the capture's end cuts: its data bits up to the last rise.
    [[nodiscard]] double price_of_cut_off(std::size_t at) const {
        const std::uint64_t last_rise = std::max(sample(reader_.edges().size() - 1), sample(at));
        return std::max(0.0, reader_.bits(last_rise - sample(at)) - 1);
    }

    [[nodiscard]] double price(const FrameReader::Reading& reading) const {
        if (reading.outcome == FrameReader::Outcome::no_start) return noise_price;
        const FrameErrors errors = reading.frame.errors;
        double price = errors.line_break ? 0 : reader_.format().data_bits;
        if (errors.framing) price += framing_price;
        if (errors.parity) price += parity_price;
        return price;
    }

    /// Idle bits between the frame that starts at edge `at` and the next start edge; 0 when there is none to speak of.
    [[nodiscard]] double gap_after(const FrameReader::Reading& reading, std::size_t at) const {
        if (reading.outcome == FrameReader::Outcome::no_start || reading.frame.errors.line_break) return 0;
        if (reading.next_edge >= reader_.edges().size()) return 0;
        const double gap = reader_.bits(sample(reading.next_edge) - sample(at)) - frame_bits(reader_.format());
        return gap > 0.5 ? gap : 0;
    }

    [[nodiscard]] static double price_of_gap(double gap, double last_gap) {
        if (gap == 0) return 0;
        return std::abs(gap - last_gap) < same_gap_bits ? same_gap_price : gap_price;
    }

    const FrameReader& reader_;
    std::uint64_t origin_;
    bool looks_triggered_;  // the capture begins just before a falling edge
};

/// The first edge that every story has as the start of a frame; the largest number when there is none.
std::size_t meeting_edge(const std::vector<Story>& stories) {
    for (const Step& step : stories.front().steps) {
        const bool shared = std::ranges::all_of(stories, [&](const Story& story) {
            return std::ranges::any_of(story.steps, [&](const Step& other) { return other.edge == step.edge; });
        });
        if (shared) return step.edge;
    }
    return std::numeric_limits<std::size_t>::max();
}

double price_until(const Story& story, std::size_t edge) {
    double price = story.prologue;
    for (const Step& step : story.steps)
        if (step.edge < edge) price += step.price;
    return price;
}

std::size_t cheapest(const std::vector<Story>& stories) {
    std::size_t meeting = meeting_edge(stories);
    if (meeting == std::numeric_limits<std::size_t>::max())
        for (const Story& story : stories) meeting = std::min(meeting, story.steps.back().edge);
    double best_price = std::numeric_limits<double>::infinity();
    std::size_t best = stories.front().first_edge;
    for (const Story& story : stories) {
        const double price = price_until(story, meeting);
        if (price > best_price) continue;
        best_price = price;
        best = story.first_edge;
    }
    return best;
}

/// From where on the line tells something: behind a stretch at space that no frame can hold.
std::uint64_t beginning_of_sense(const FrameReader& reader, Level initial) {
    if (initial == reader.mark() || reader.edges().empty()) return 0;
    const std::uint64_t rise = reader.edges().front().at.value;
    return reader.bits(rise) >= stop_bit_index(reader.format()) ? rise : 0;
}

}  // namespace

std::size_t find_first_start(const FrameReader& reader, Level initial) {
    const std::size_t none = reader.edges().size();
    const std::uint64_t origin = beginning_of_sense(reader, initial);
    const Chronicler chronicler(reader, origin);
    std::vector<Story> stories;
    std::size_t fall = reader.next_fall(0);
    for (; fall < none && stories.size() < most_rivals; fall = reader.next_fall(fall + 1)) {
        stories.push_back(chronicler.story_from(fall));
        const double from_origin = reader.bits(reader.edges()[fall].at.value - origin);
        if (chronicler.certain(fall) || from_origin >= frame_bits(reader.format())) break;
    }
    if (fall >= none && !stories.empty()) stories.push_back(chronicler.story_from(none));
    return stories.empty() ? none : cheapest(stories);
}

}  // namespace rig::wire
