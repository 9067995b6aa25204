// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/frame_output.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::wire {

namespace {

using nlohmann::ordered_json;

/// Collects small pieces so that the sink gets few large ones.
class Buffer {
public:
    explicit Buffer(const OutputSink& sink) : sink_(sink) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::string& text() {
        if (text_.size() >= flush_at) flush();
        return text_;
    }

    void flush() {
        if (!text_.empty()) sink_(text_);
        text_.clear();
    }

private:
    static constexpr std::size_t flush_at = 64UL * 1024;
    const OutputSink& sink_;
    std::string text_;
};

std::vector<std::string_view> error_names(const FrameErrors& errors) {
    std::vector<std::string_view> names;
    if (errors.framing) names.emplace_back("framing");
    if (errors.parity) names.emplace_back("parity");
    if (errors.line_break) names.emplace_back("break");
    return names;
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty()) text += '+';
        text += word;
    }
    return text;
}

/// Exact seconds with twelve decimals.
std::string seconds_text(picoseconds time) {
    constexpr std::int64_t ps_per_second = 1'000'000'000'000;
    return fmt::format("{}.{:012}", time.count() / ps_per_second, time.count() % ps_per_second);
}

bool printable(std::uint16_t value) {
    return value >= 0x20 && value < 0x7f;
}

/// A frame as text. CR goes when LF follows; terminals get no control characters from a wire.
void append_text(std::string& text, const Frame& frame, const Frame* next) {
    if (frame.errors.line_break) {
        fmt::format_to(std::back_inserter(text), "<break {:.3f} ms>", to_seconds(frame.end - frame.start) * 1e3);
        return;
    }
    if (frame.errors.any()) {
        fmt::format_to(std::back_inserter(text), "<{} {:02x}>", joined(error_names(frame.errors)), frame.value);
        return;
    }
    const bool line_end_follows = next != nullptr && next->value == '\n' && !next->errors.any();
    if (frame.value == '\r' && line_end_follows) return;
    if (printable(frame.value) || frame.value == '\n' || frame.value == '\t')
        text += static_cast<char>(frame.value);
    else
        fmt::format_to(std::back_inserter(text), "\\x{:02x}", frame.value);
}

const Frame* frame_after(const std::vector<Frame>& frames, std::size_t i) {
    return i + 1 < frames.size() ? &frames[i + 1] : nullptr;
}

void write_stream(const ChannelFrames& channel, Buffer& out) {
    const std::vector<Frame>& frames = channel.decode.decoded.frames;
    for (std::size_t i = 0; i < frames.size(); ++i) append_text(out.text(), frames[i], frame_after(frames, i));
}

struct Line {
    wire_time start;
    std::string_view channel;
    std::string text;
};

void append_lines(const ChannelFrames& channel, std::vector<Line>& lines) {
    const std::vector<Frame>& frames = channel.decode.decoded.frames;
    bool fresh = true;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (fresh) lines.push_back({frames[i].start, channel.channel, {}});
        append_text(lines.back().text, frames[i], frame_after(frames, i));
        fresh = frames[i].value == '\n' && !frames[i].errors.any();
        if (fresh) lines.back().text.pop_back();
    }
}

void write_text(std::span<const ChannelFrames> channels, Buffer& out) {
    const auto talks = [](const ChannelFrames& channel) { return !channel.decode.decoded.frames.empty(); };
    if (std::ranges::count_if(channels, talks) <= 1) {
        for (const ChannelFrames& channel : channels) write_stream(channel, out);
        return;
    }
    std::vector<Line> lines;
    for (const ChannelFrames& channel : channels) append_lines(channel, lines);
    std::ranges::stable_sort(lines, {}, &Line::start);
    for (const Line& line : lines) fmt::format_to(std::back_inserter(out.text()), "{}: {}\n", line.channel, line.text);
}

void write_bytes(const ChannelFrames& channel, Buffer& out) {
    for (const Frame& frame : channel.decode.decoded.frames) {
        if (frame.errors.line_break) continue;
        std::string& text = out.text();
        text += static_cast<char>(frame.value & 0xffU);
        if (channel.decode.decoded.format.data_bits == 9) text += static_cast<char>(frame.value >> 8U);
    }
}

void write_table(const ChannelFrames& channel, Buffer& out) {
    for (const Frame& frame : channel.decode.decoded.frames) {
        const std::string character = printable(frame.value) && !frame.errors.line_break
                                          ? fmt::format("'{}'", static_cast<char>(frame.value))
                                          : std::string();
        std::string line =
            fmt::format("{}  {}  {:#04x} {:3}  {}", channel.channel, seconds_text(frame.start.time_since_epoch()),
                        frame.value, character, joined(error_names(frame.errors)));
        if (frame.errors.line_break) line += fmt::format(" {:.3f} ms", to_seconds(frame.end - frame.start) * 1e3);
        if (frame.glitches != 0) line += fmt::format("  glitches {}", frame.glitches);
        line.erase(line.find_last_not_of(' ') + 1);
        out.text() += line + '\n';
    }
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

void write_csv(const ChannelFrames& channel, Buffer& out) {
    const std::string name = csv_field(channel.channel);
    for (const Frame& frame : channel.decode.decoded.frames)
        fmt::format_to(std::back_inserter(out.text()), "{},{},{},{},{},{},{}\n", name, frame.first.value,
                       frame.last.value, seconds_text(frame.start.time_since_epoch()), frame.value,
                       joined(error_names(frame.errors)), frame.glitches);
}

/// Names come from files: what is no UTF-8 is replaced, not thrown at the user.
std::string dumped(const ordered_json& object) {
    return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

void write_json(const ChannelFrames& channel, Buffer& out) {
    for (const Frame& frame : channel.decode.decoded.frames)
        out.text() += dumped({{"channel", channel.channel},
                              {"start", frame.first.value},
                              {"end", frame.last.value},
                              {"start_s", to_seconds(frame.start.time_since_epoch())},
                              {"value", frame.value},
                              {"errors", error_names(frame.errors)},
                              {"glitches", frame.glitches}});
}

struct Counts {
    std::uint64_t framing = 0, parity = 0, breaks = 0;
};

Counts count_errors(const std::vector<Frame>& frames) {
    Counts counts;
    for (const Frame& frame : frames) {
        counts.framing += frame.errors.framing ? 1 : 0;
        counts.parity += frame.errors.parity ? 1 : 0;
        counts.breaks += frame.errors.line_break ? 1 : 0;
    }
    return counts;
}

ordered_json to_json(const Counts& counts) {
    return {{"framing", counts.framing}, {"parity", counts.parity}, {"break", counts.breaks}};
}

ordered_json baud_json(const FittedDecode& decode) {
    if (!decode.fit) return nullptr;
    return {{"value", decode.fit->baud}, {"u", decode.fit->u_baud}};
}

ordered_json summary_json(const ChannelFrames& channel) {
    const Decoded& decoded = channel.decode.decoded;
    const bool inverted = decoded.format.polarity == Polarity::inverted;
    const ordered_json errors = to_json(count_errors(decoded.frames));
    ordered_json segments = ordered_json::array();
    if (!decoded.frames.empty())
        segments.push_back({{"start", decoded.frames.front().first.value},
                            {"end", decoded.frames.back().last.value},
                            {"baud", baud_json(channel.decode)},
                            {"format", short_name(decoded.format)},
                            {"inverted", inverted},
                            {"frames", decoded.frames.size()},
                            {"errors", errors}});
    return {{"summary",
             {{"channel", channel.channel},
              {"samplerate_hz", decoded.rate.hz},
              {"baud", baud_json(channel.decode)},
              {"format", short_name(decoded.format)},
              {"inverted", inverted},
              {"frames", decoded.frames.size()},
              {"errors", errors},
              {"glitches", decoded.glitches.size()},
              {"segments", segments}}}};
}

std::string plural(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string summary_sentence(const ChannelFrames& channel) {
    const Decoded& decoded = channel.decode.decoded;
    const Counts counts = count_errors(decoded.frames);
    std::string text =
        fmt::format("{}: {} of {}", channel.channel, plural(decoded.frames.size(), "frame"), to_string(decoded.format));
    if (const auto& fit = channel.decode.fit) text += fmt::format(" at {:.1f} baud (u {:.1f})", fit->baud, fit->u_baud);
    text += fmt::format("; {}, {}, {}, {}", plural(counts.framing, "framing error"),
                        plural(counts.parity, "parity error"), plural(counts.breaks, "break"),
                        fmt::format("{} glitch{}", decoded.glitches.size(), decoded.glitches.size() == 1 ? "" : "es"));
    if (decoded.skipped_until != 0) text += fmt::format("; first {} not used", plural(decoded.skipped_until, "sample"));
    if (decoded.cut_off) text += "; the capture's end cuts a frame off";
    return text + '\n';
}

}  // namespace

void write_frames(std::span<const ChannelFrames> channels, FrameOutput output, const OutputSink& sink) {
    Buffer out(sink);
    if (output == FrameOutput::text) write_text(channels, out);
    if (output == FrameOutput::csv) out.text() += "channel,start,end,start_s,value,errors,glitches\n";
    for (const ChannelFrames& channel : channels) {
        if (output == FrameOutput::bytes) write_bytes(channel, out);
        if (output == FrameOutput::frames) write_table(channel, out);
        if (output == FrameOutput::csv) write_csv(channel, out);
        if (output == FrameOutput::json) write_json(channel, out);
    }
    out.flush();
}

void write_summaries(std::span<const ChannelFrames> channels, FrameOutput output, const OutputSink& sink) {
    Buffer out(sink);
    for (const ChannelFrames& channel : channels)
        out.text() += output == FrameOutput::json ? dumped(summary_json(channel)) : summary_sentence(channel);
    out.flush();
}

}  // namespace rig::wire
