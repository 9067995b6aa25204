// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/health/line_health.hpp"

#include "rig/wire/generate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace rig::health {
namespace {

constexpr SampleRate rate{4'000'000};
const std::string text = "[    1.234567] the quick brown fox jumps over the lazy dog\r\n";

wire::Trace spoken(unsigned baud, wire::UartFormat format = {}) {
    wire::WaveformWriter writer({.bit_ps = 1e12 / baud, .format = format});
    writer.idle(picoseconds{1'000'000'000});
    writer.send_text(text);
    writer.idle(picoseconds{1'000'000'000});
    const auto length =
        writer.now().time_since_epoch().count() * static_cast<std::int64_t>(rate.hz) / 1'000'000'000'000;
    return wire::sample(writer.waveform(), rate, static_cast<std::uint64_t>(length));
}

wire::Trace resting(wire::Level level) {
    return {.rate = rate, .samples = 100'000, .initial = level, .edges = {}};
}

Finding worst_of(const std::vector<Finding>& findings) {
    return *std::ranges::max_element(findings, {}, &Finding::mark);
}

TEST(LineHealth, AWellWiredLineIsGoodAndItsRateIsMeasured) {
    const auto findings = judge_speech({{"tx", spoken(115200)}}, "boot\r\n" + text + "~ # ", Baud{115200});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(worst_of(findings).mark, Mark::good);
    EXPECT_EQ(findings[0].what.substr(0, 20), "the wire runs at 115") << findings[0].what;
    EXPECT_NE(findings[1].what.find("are the console's"), std::string::npos) << findings[1].what;
}

TEST(LineHealth, AnotherRateIsFoundAndSaid) {
    for (const unsigned true_rate : {1200U, 9600U, 19200U, 57600U, 230400U}) {
        const auto finding = worst_of(judge_speech({{"tx", spoken(true_rate)}}, text, Baud{115200}));
        EXPECT_EQ(finding.mark, Mark::bad);
        EXPECT_EQ(finding.what, "the wire runs at about " + std::to_string(true_rate) + " baud, 115200 is set");
    }
}

TEST(LineHealth, SwappedProbesAreToldFromADeadBoardAndFromAFreeProbe) {
    const auto silent = resting(wire::Level::high);
    EXPECT_NE(worst_of(judge_speech({{"tx", silent}, {"rx", spoken(115200)}}, text, Baud{115200})).hint.find("swap"),
              std::string::npos);
    EXPECT_EQ(worst_of(judge_speech({{"tx", silent}, {"rx", silent}}, "", Baud{115200})).about, "board");
    EXPECT_NE(worst_of(judge_speech({{"tx", silent}}, text, Baud{115200})).what.find("while the console got"),
              std::string::npos);
}

TEST(LineHealth, AnInvertedLineIsCalledSo) {
    const auto inverted = spoken(115200, {.polarity = wire::Polarity::inverted});
    EXPECT_NE(worst_of(judge_speech({{"tx", inverted}}, "", Baud{115200})).what.find("inverted"), std::string::npos);
}

TEST(LineHealth, AConsoleThatHearsNothingOrAnotherBoardIsBad) {
    EXPECT_NE(worst_of(judge_speech({{"tx", spoken(115200)}}, "", Baud{115200})).what.find("the console got none"),
              std::string::npos);
    EXPECT_NE(worst_of(judge_speech({{"tx", spoken(115200)}}, "U-Boot", Baud{115200})).what.find("are not those"),
              std::string::npos);
}

TEST(LineHealth, AtRestAUartLineIsHighAndAHeartbeatBeats) {
    const auto high = resting(wire::Level::high);
    const auto low = resting(wire::Level::low);
    EXPECT_EQ(worst_of(judge_rest({{"tx", high}, {"rx", high}, {"marker", low}})).mark, Mark::good);
    EXPECT_EQ(worst_of(judge_rest({{"tx", low}})).mark, Mark::bad);
    EXPECT_EQ(worst_of(judge_rest({{"tx", spoken(9600)}})).mark, Mark::doubtful);
    EXPECT_EQ(worst_of(judge_rest({{"marker", high}})).mark, Mark::doubtful);
    EXPECT_EQ(worst_of(judge_rest({{"heartbeat", low}})).mark, Mark::bad);
}

}  // namespace
}  // namespace rig::health
