// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"
#include "rig/wire/edges.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rig::capture {

/// A logic channel of a capture.
struct Channel {
    std::string name;
    unsigned bit = 0;  ///< its place among the capture's channels as the file counts them, from 0
    bool operator==(const Channel&) const = default;
};

/// What came of one channel since its last stretch: its edges, in order, and how far the channel is known.
struct Stretch {
    std::size_t channel = 0;                 ///< position in the list that read() was given
    wire::Level initial = wire::Level::low;  ///< level of the capture's first sample, the same in every stretch
    std::uint64_t until = 0;                 ///< samples known so far, these edges' included
    std::span<const wire::Edge> edges;       ///< gone when the call returns
};

/// Takes stretches as they are read. Stretches of several channels may come in any order; those of one come in order.
using StretchSink = std::function<void(const Stretch&)>;

/// How far a reading has come, 0 to 1; called now and then.
using ProgressSink = std::function<void(double)>;

/// A capture that is read: its logic channels as edges, streamed, so that memory does not grow with its length. One
/// thread.
class Source {
public:
    virtual ~Source() = default;

    /// Samples per second of the positions that read() gives. For files that hold times, the rate of the coarsest grid
    /// that all of their times lie on.
    [[nodiscard]] virtual SampleRate rate() const = 0;
    [[nodiscard]] virtual const std::vector<Channel>& channels() const = 0;

    /// Reads the whole capture once and hands over the edges of `channels` (positions in channels()). Every channel
    /// gets a last stretch whose `until` is the length of the capture. May be called again. Errors name the file and
    /// the place in it.
    virtual void read(std::span<const std::size_t> channels, const StretchSink& sink, const ProgressSink& progress) = 0;
};

/// The position in channels() of the channel of that name, or, when none has it, of "D3" or "3" for bit 3. A PlanError
/// that names `path` and lists the channels otherwise.
std::size_t find_channel(std::span<const Channel> channels, std::string_view name, std::string_view path);

}  // namespace rig::capture
