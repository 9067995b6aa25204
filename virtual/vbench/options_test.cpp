// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.hpp"

#include "trouble.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

std::variant<Options, Information> parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "rig-vbench");
    return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

std::string trouble_of(const std::vector<const char*>& arguments) {
    try {
        parse(arguments);
    } catch (const UsageTrouble& trouble) {
        return trouble.what();
    }
    return "";
}

TEST(Options, ABoardIsOffAndAt115200UnlessToldOtherwise) {
    const auto options = std::get<Options>(parse({"--firmware", "versatilepb-6.1"}));
    EXPECT_EQ(options.firmware, "versatilepb-6.1");
    EXPECT_EQ(options.baud, 115200U);
    EXPECT_EQ(options.power, Power::off);
    EXPECT_EQ(options.lifetime, Options::Lifetime::own);
    EXPECT_FALSE(options.dir);
}

TEST(Options, EveryOptionIsTaken) {
    const auto options =
        std::get<Options>(parse({"--guest", "cat", "--append", "nohz=off", "--baud", "9600", "--dir", "/somewhere",
                                 "--analyzer-port", "5555", "--fault", "console-unplug", "--fault",
                                 "pacer-stall:byte=2,ms=5", "--power", "on", "--until-stdin-closes", "--rt", "off"}));
    EXPECT_EQ(options.guest, "cat");
    EXPECT_EQ(options.append, "nohz=off");
    EXPECT_EQ(options.baud, 9600U);
    EXPECT_EQ(options.dir, "/somewhere");
    EXPECT_EQ(options.analyzer_port, 5555);
    ASSERT_EQ(options.faults.size(), 2U);
    EXPECT_EQ(options.faults[1].ms, 5U);
    EXPECT_EQ(options.power, Power::on);
    EXPECT_EQ(options.lifetime, Options::Lifetime::of_stdin);
    EXPECT_EQ(options.realtime, RealtimeWish::off);
}

TEST(Options, WithoutABoardTheAnswerSaysWhatToGive) {
    EXPECT_EQ(trouble_of({}), "no board is named; give --firmware NAME, such as --firmware versatilepb-6.1");
}

TEST(Options, AWrongFaultIsAUsageError) {
    EXPECT_EQ(trouble_of({"--firmware", "x", "--fault", "pacer-stall:byte=2"}),
              "--fault pacer-stall:byte=2: fault pacer-stall needs the key ms");
}

TEST(Options, AnUnknownOptionIsAUsageError) {
    EXPECT_NE(trouble_of({"--firmware", "x", "--bauds", "9600"}), "");
}

TEST(Options, ABaudRateOutOfRangeIsAUsageError) {
    EXPECT_NE(trouble_of({"--firmware", "x", "--baud", "0"}), "");
}

TEST(Options, HelpListsEveryFault) {
    const auto help = std::get<Information>(parse({"--help"})).text;
    for (const FaultRow& row : fault_table()) EXPECT_NE(help.find(row.name), std::string::npos) << row.name;
}

}  // namespace
}  // namespace vbench
