// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/wire/bit_time.hpp"
#include "rig/wire/uart.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace rig::wire {

/// How frames are written out.
enum class FrameOutput {
    text,   ///< characters; what is no text as \xNN, errors in <>. Several channels: a line at a time, in order of time
    bytes,  ///< the bytes alone, breaks left out
    frames,  ///< a line a frame, for reading
    json,    ///< an object a frame, then one summary a channel (the fields of `rig decode --output json`)
    csv,     ///< the fields of json as comma-separated values
};

/// One channel of a capture, decoded.
struct ChannelFrames {
    std::string channel;
    FittedDecode decode;
};

/// Takes pieces of output as they are made.
using OutputSink = std::function<void(std::string_view)>;

/// Writes the frames of all channels: channel by channel, text by line and time.
void write_frames(std::span<const ChannelFrames> channels, FrameOutput output, const OutputSink& sink);

/// Writes one summary a channel: an object for json, a sentence for everything else.
void write_summaries(std::span<const ChannelFrames> channels, FrameOutput output, const OutputSink& sink);

}  // namespace rig::wire
