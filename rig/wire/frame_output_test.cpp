// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/frame_output.hpp"

#include "rig/wire/test_signals.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::wire {
namespace {

using namespace testing;

ChannelFrames channel(std::string name, const WaveformWriter& writer, std::string_view format = "8N1") {
    return {std::move(name), decode_fitted(sampled(writer), bit_time_of(baud_115200), parse_uart_format(format))};
}

std::string frames_as(FrameOutput output, const std::vector<ChannelFrames>& channels) {
    std::string text;
    write_frames(channels, output, [&](std::string_view part) { text += part; });
    return text;
}

std::string summaries_as(FrameOutput output, const std::vector<ChannelFrames>& channels) {
    std::string text;
    write_summaries(channels, output, [&](std::string_view part) { text += part; });
    return text;
}

TEST(FrameOutput, TextLetsNoControlCharacterThrough) {
    auto writer = idle_writer();
    writer.send_text("ok\r\n\x1b[31mred\rx\xff\t.\n");
    EXPECT_EQ(frames_as(FrameOutput::text, {channel("TX", writer)}), "ok\n\\x1b[31mred\\x0dx\\xff\t.\n");
}

TEST(FrameOutput, TextNamesErrorsInPlace) {
    auto writer = idle_writer("8E1");
    writer.send('a');
    writer.send_with_wrong_parity('b');
    writer.send_break(bits(20));
    EXPECT_EQ(frames_as(FrameOutput::text, {channel("TX", writer, "8E1")}), "a<parity 62><break 0.174 ms>");
}

TEST(FrameOutput, TextOfTwoChannelsGoesByTime) {
    auto ours = idle_writer();
    auto theirs = idle_writer();
    ours.send_text("sync\r\n");
    theirs.idle(bits(100));
    theirs.send_text("[ 1.0] long\r\n");
    ours.idle(bits(200));
    ours.send_text("# ");
    EXPECT_EQ(frames_as(FrameOutput::text, {channel("RX", theirs), channel("TX", ours)}),
              "TX: sync\nRX: [ 1.0] long\nTX: # \n");
}

TEST(FrameOutput, BytesAreTheBytesAlone) {
    auto writer = idle_writer();
    writer.send_text(std::string_view("\0\xff", 2));
    writer.send_break(bits(30));
    writer.send('z');
    EXPECT_EQ(frames_as(FrameOutput::bytes, {channel("TX", writer)}), std::string("\0\xffz", 3));
}

TEST(FrameOutput, FramesAreALineEach) {
    auto writer = idle_writer();
    writer.send('A');
    const std::string text = frames_as(FrameOutput::frames, {channel("TX", writer)});
    EXPECT_EQ(text, "TX  0.000130250000  0x41 'A'\n");
}

TEST(FrameOutput, CsvQuotesNamesThatNeedIt) {
    auto writer = idle_writer("8E1");
    writer.send_with_wrong_parity('b');
    // The end is the fitted one: a sample more than that of the nominal rate.
    EXPECT_EQ(frames_as(FrameOutput::csv, {channel("a,\"b\"", writer, "8E1")}),
              "channel,start,end,start_s,value,errors,glitches\n\"a,\"\"b\"\"\",521,903,0.000130250000,98,parity,0\n");
}

TEST(FrameOutput, JsonHasTheFieldsOfTheDesign) {
    auto writer = idle_writer("8E1");
    writer.send_with_wrong_parity('b');
    const auto object = nlohmann::json::parse(frames_as(FrameOutput::json, {channel("TX", writer, "8E1")}));
    EXPECT_EQ(object, nlohmann::json::parse(R"({"channel": "TX", "start": 521, "end": 903, "start_s": 0.00013025,
                                               "value": 98, "errors": ["parity"], "glitches": 0})"));
}

TEST(FrameOutput, JsonSummaryCountsAndMeasures) {
    auto writer = idle_writer("8N1/inverted");
    writer.send_text("summary");
    writer.send_break(bits(30));
    const auto object =
        nlohmann::json::parse(summaries_as(FrameOutput::json, {channel("TX", writer, "8N1/inverted")})).at("summary");
    EXPECT_EQ(object.at("channel"), "TX");
    EXPECT_EQ(object.at("samplerate_hz"), 4'000'000);
    EXPECT_NEAR(object.at("baud").at("value").get<double>(), 115200, 100);
    EXPECT_GT(object.at("baud").at("u").get<double>(), 0);
    EXPECT_EQ(object.at("format"), "8N1");
    EXPECT_EQ(object.at("inverted"), true);
    EXPECT_EQ(object.at("frames"), 8);
    EXPECT_EQ(object.at("errors"), nlohmann::json::parse(R"({"framing": 0, "parity": 0, "break": 1})"));
    EXPECT_EQ(object.at("glitches"), 0);
    ASSERT_EQ(object.at("segments").size(), 1U);
    EXPECT_EQ(object.at("segments")[0].at("start"), 521);
    EXPECT_EQ(object.at("segments")[0].at("frames"), 8);
}

TEST(FrameOutput, AChannelWithoutFramesHasASummaryWithoutARate) {
    const ChannelFrames silent{"RX",
                               decode_fitted(Trace{four_mhz, 1000, Level::high, {}}, bit_time_of(baud_115200), {})};
    const auto object = nlohmann::json::parse(summaries_as(FrameOutput::json, {silent})).at("summary");
    EXPECT_TRUE(object.at("baud").is_null());
    EXPECT_TRUE(object.at("segments").empty());
    EXPECT_EQ(summaries_as(FrameOutput::text, {silent}),
              "RX: 0 frames of 8N1; 0 framing errors, 0 parity errors, 0 breaks, 0 glitches\n");
}

TEST(FrameOutput, ANameThatIsNoTextDoesNotStopTheJson) {
    auto writer = idle_writer();
    writer.send('A');
    EXPECT_TRUE(nlohmann::json::accept(frames_as(FrameOutput::json, {channel("\xff", writer)})));
}

}  // namespace
}  // namespace rig::wire
