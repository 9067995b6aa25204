// SPDX-License-Identifier: GPL-3.0-or-later
// What we write must be a session for others too: sigrok-cli decodes it with its own decoder.
#include "rig/evidence/sr_file.hpp"
#include "rig/wire/generate.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;

struct ClosePipe {
    void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

std::string output_of(const std::string& command) {
    const std::unique_ptr<std::FILE, ClosePipe> pipe(::popen(command.c_str(), "re"));
    std::string text;
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get()))
        text.append(part.data(), count);
    return text;
}

/// "uart-1: 48" lines → bytes.
std::string bytes_of_annotations(const std::string& text) {
    std::istringstream lines(text);
    std::string bytes;
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t at = line.rfind(": "); at != std::string::npos)
            bytes += static_cast<char>(std::stoi(line.substr(at + 2), nullptr, 16));
    return bytes;
}

class SigrokReadsOurSessions : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SigrokReadsOurSessions, AndDecodesTheSameBytes) {
    if (std::system("sigrok-cli --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "sigrok-cli is not installed";
    const std::size_t unitsize = GetParam();
    constexpr SampleRate rate{4'000'000};
    wire::Transmitter transmitter;
    transmitter.bit_ps = 1e12 / 115200;
    wire::WaveformWriter writer(transmitter);
    writer.idle(picoseconds{200'000'000});
    std::string sent;
    // Longer than a chunk of 4 MiB, so that a seam is crossed.
    for (int i = 0; i < 13'000; ++i) sent += static_cast<char>(i * 31);
    writer.send_text(sent);
    writer.idle(picoseconds{200'000'000});
    const auto samples =
        static_cast<std::uint64_t>(to_seconds(writer.now().time_since_epoch()) * static_cast<double>(rate.hz));
    const wire::Trace trace = wire::sample(writer.waveform(), rate, samples);
    const auto bit = static_cast<unsigned>(8 * unitsize - 2);
    const wire::Lane lane{&trace, bit};

    std::string pattern = (fs::temp_directory_path() / "rig-sigrok-XXXXXX").string();
    const fs::path folder = ::mkdtemp(pattern.data());
    const fs::path file = folder / "capture.sr";
    SrWriter session(file, rate, {{"TX", bit}}, unitsize);
    session.append(wire::to_samples(std::span(&lane, 1), unitsize, SampleIndex{0}, trace.samples));
    session.finish();

    const std::string annotations = output_of(
        fmt::format("sigrok-cli -i {} -P uart:rx=TX:baudrate=115200 -A uart=rx-data 2>/dev/null", file.string()));
    EXPECT_EQ(bytes_of_annotations(annotations), sent);
    const std::string shown = output_of(fmt::format("sigrok-cli -i {} --show 2>&1", file.string()));
    EXPECT_NE(shown.find("Samplerate: 4000000"), std::string::npos) << shown;
    EXPECT_NE(shown.find("TX"), std::string::npos) << shown;
    fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(OfOneAndTwoBytesASample, SigrokReadsOurSessions, ::testing::Values(1, 2));

}  // namespace
}  // namespace rig::evidence
