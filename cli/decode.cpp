// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/decode.hpp"

#include "rig/error.hpp"
#include "rig/evidence/sr_file.hpp"
#include "rig/evidence/sr_file_traces.hpp"
#include "rig/wire/bit_time.hpp"
#include "rig/wire/frame_output.hpp"
#include "rig/wire/uart.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace rig::cli {

namespace {

enum class Detail { frames_and_summaries, summaries_only };

struct Arguments {
    std::string file;
    std::vector<std::string> channels;
    std::string baud;
    std::string format = "8N1";
    std::string output = "text";
    bool summary = false;
};

constexpr std::string_view examples = R"(Examples:
  rig decode capture.sr --baud 115200                          what was said, as text
  rig decode capture.sr --baud 9600 --format 7E1 --channel TX  one channel, another format
  rig decode capture.sr --baud 115200 --summary                frames, errors, the line's real rate
  rig decode capture.sr --baud 115200 --channel TX --output bytes > console.bin
  rig decode capture.sr --baud 31250 --format 8N1/inverted --output json | jq 'select(.value)')";

/// The reader of our output went away: the end, and no error.
struct PipeClosed {};

[[noreturn]] void fail_to_write() {
    if (errno == EPIPE) throw PipeClosed{};
    throw BenchError(
        fmt::format("the output cannot be written: {}", std::error_code(errno, std::generic_category()).message()),
        "look at the free space where it goes");
}

void write_out(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_to_write();
}

void flush_out() {
    if (std::fflush(stdout) != 0) fail_to_write();
}

Baud parse_baud(const std::string& text) {
    if (text.empty())
        throw PlanError("decode must be told the rate of the line: --baud is missing", "try --baud 115200");
    std::uint32_t baud = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), baud);
    if (error != std::errc{} || end != text.data() + text.size() || baud == 0)
        throw PlanError(fmt::format("--baud '{}' is no rate: expected a whole number above zero", text),
                        "try --baud 115200");
    return Baud{baud};
}

constexpr std::pair<std::string_view, wire::FrameOutput> outputs[] = {
    {"text", wire::FrameOutput::text}, {"bytes", wire::FrameOutput::bytes}, {"frames", wire::FrameOutput::frames},
    {"json", wire::FrameOutput::json}, {"csv", wire::FrameOutput::csv},
};

std::string output_names() {
    std::string names;
    for (const auto& [name, output] : outputs) names += fmt::format("{}{}", names.empty() ? "" : "|", name);
    return names;
}

wire::FrameOutput parse_output(const std::string& name) {
    for (const auto& [known, output] : outputs)
        if (known == name) return output;
    throw PlanError(fmt::format("--output '{}' is unknown", name), fmt::format("possible: {}", output_names()));
}

std::vector<evidence::SrChannel> chosen_channels(const evidence::SrFile& file, const std::vector<std::string>& names) {
    if (names.empty()) return file.channels();
    std::vector<evidence::SrChannel> channels;
    for (const std::string& name : names) channels.push_back(file.channel(name));
    return channels;
}

/// Bytes of several channels in one stream would be no channel's.
void require_one_talker(const std::vector<wire::ChannelFrames>& channels) {
    std::string talkers;
    unsigned count = 0;
    for (const wire::ChannelFrames& channel : channels) {
        if (channel.decode.decoded.frames.empty()) continue;
        talkers += (count++ == 0 ? "" : ", ") + channel.channel;
    }
    if (count > 1)
        throw PlanError(fmt::format("--output bytes can hold one channel, and {} carry frames: {}", count, talkers),
                        "name one with --channel");
}

/// An empty answer looks like a mistake of ours: say that there was nothing to read.
void note_silence(const std::vector<wire::ChannelFrames>& channels) {
    for (const wire::ChannelFrames& channel : channels)
        if (!channel.decode.decoded.frames.empty()) return;
    fmt::print(stderr, "rig decode: no frames on any channel; --summary says more\n");
}

std::vector<wire::ChannelFrames> decode_file(const Arguments& arguments) {
    const Baud baud = parse_baud(arguments.baud);
    const wire::UartFormat format = wire::parse_uart_format(arguments.format);
    const auto file = evidence::SrFile::open(arguments.file);
    const std::vector<evidence::SrChannel> channels = chosen_channels(file, arguments.channels);
    const std::vector<wire::Trace> traces = evidence::read_traces(file, channels);
    std::vector<wire::ChannelFrames> decoded;
    for (std::size_t i = 0; i < channels.size(); ++i)
        decoded.push_back({channels[i].name, wire::decode_fitted(traces[i], wire::bit_time_of(baud), format)});
    return decoded;
}

void write_results(const std::vector<wire::ChannelFrames>& channels, wire::FrameOutput output, Detail detail) {
    const bool summaries = detail == Detail::summaries_only || output == wire::FrameOutput::json;
    if (detail == Detail::frames_and_summaries) wire::write_frames(channels, output, write_out);
    if (summaries) wire::write_summaries(channels, output, write_out);
    flush_out();
}

int run(const Arguments& arguments) {
    std::signal(SIGPIPE, SIG_IGN);
    const wire::FrameOutput output = parse_output(arguments.output);
    const std::vector<wire::ChannelFrames> channels = decode_file(arguments);
    const Detail detail = arguments.summary ? Detail::summaries_only : Detail::frames_and_summaries;
    if (output == wire::FrameOutput::bytes && detail == Detail::frames_and_summaries) require_one_talker(channels);
    if (detail == Detail::frames_and_summaries) note_silence(channels);
    try {
        write_results(channels, output, detail);
    } catch (const PipeClosed&) {
        return 0;
    }
    return 0;
}

}  // namespace

std::function<int()> add_decode(CLI::App& app) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("decode", "Read the characters off a logic capture of UART lines");
    command->footer(std::string(examples));
    command->add_option("file", arguments->file, "A sigrok session (.sr)")->required()->type_name("FILE.sr");
    command
        ->add_option("-c,--channel", arguments->channels, "Channels by name; all of the capture's when none is named")
        ->type_name("CHANNEL");
    command->add_option("-b,--baud", arguments->baud, "Nominal rate in baud; the line's own is fitted within 5 % of it")
        ->type_name("BAUD");
    command
        ->add_option("-f,--format", arguments->format, "Data bits, parity, stop bits, and /inverted or /msb after them")
        ->capture_default_str()
        ->type_name("FORMAT");
    command->add_option("-o,--output", arguments->output, "What is written")
        ->capture_default_str()
        ->type_name(output_names());
    command->add_flag("--summary", arguments->summary, "Only the summary of each channel");
    return [arguments] { return run(*arguments); };
}

}  // namespace rig::cli
