// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/test_capture.hpp"

#include "rig/error.hpp"

#include <fstream>
#include <numeric>

#include <gtest/gtest.h>

namespace rig::capture::testing {

namespace {

void append(wire::Trace& whole, const Stretch& stretch) {
    EXPECT_TRUE(whole.samples == 0 || stretch.initial == whole.initial);
    EXPECT_GE(stretch.until, whole.samples);
    for (const wire::Edge& edge : stretch.edges) {
        const wire::Level before = whole.edges.empty() ? stretch.initial : whole.edges.back().level;
        EXPECT_EQ(edge.level, wire::opposite(before));
        EXPECT_GE(edge.at.value, std::max<std::uint64_t>(whole.samples, 1));
        EXPECT_TRUE(whole.edges.empty() || edge.at > whole.edges.back().at);
        EXPECT_LT(edge.at.value, stretch.until);
        whole.edges.push_back(edge);
    }
    whole.initial = stretch.initial;
    whole.samples = stretch.until;
}

std::vector<std::size_t> positions_of(const Source& source, const std::vector<std::string>& names) {
    std::vector<std::size_t> positions(source.channels().size());
    std::iota(positions.begin(), positions.end(), 0U);
    if (names.empty()) return positions;
    positions.clear();
    for (const std::string& name : names) positions.push_back(find_channel(source.channels(), name, "the capture"));
    return positions;
}

std::string without(std::string text, const std::string& part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
    return text;
}

}  // namespace

std::filesystem::path put(const tests::Folder& folder, std::string_view name, std::string_view bytes) {
    std::filesystem::path path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

std::vector<wire::Trace> traces_of(Source& source, const std::vector<std::string>& names) {
    const auto positions = positions_of(source, names);
    std::vector<wire::Trace> traces(positions.size(), wire::Trace{source.rate(), 0, wire::Level::low, {}});
    double last = 0;
    source.read(
        positions, [&](const Stretch& stretch) { append(traces.at(stretch.channel), stretch); },
        [&](double progress) {
            EXPECT_GE(progress, last);
            EXPECT_LE(progress, 1.0);
            last = progress;
        });
    for (const wire::Trace& each : traces) EXPECT_EQ(each.samples, traces.front().samples);
    return traces;
}

wire::Trace trace(std::uint64_t hz, std::string_view levels) {
    const auto level = [&](std::size_t at) { return levels[at] == '1' ? wire::Level::high : wire::Level::low; };
    wire::Trace result{SampleRate{hz}, levels.size(), level(0), {}};
    for (std::size_t at = 1; at < levels.size(); ++at)
        if (level(at) != level(at - 1)) result.edges.push_back({SampleIndex{at}, level(at)});
    return result;
}

std::vector<std::string> names_of(const Source& source) {
    std::vector<std::string> names;
    for (const Channel& channel : source.channels()) names.push_back(channel.name);
    return names;
}

std::string refusal(const tests::Folder& folder, const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const PlanError& error) {
        EXPECT_FALSE(error.hint().empty());
        return without(std::string(error.what()) + " | " + error.hint(), folder.path().string() + "/");
    }
    return "";
}

std::string refusal(const tests::Folder& folder, const std::function<std::unique_ptr<Source>()>& open) {
    const std::function<void()> attempt = [&open] {
        const auto source = open();
        (void)traces_of(*source);
    };
    return refusal(folder, attempt);
}

}  // namespace rig::capture::testing
