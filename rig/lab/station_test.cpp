// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/lab/station.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::lab {
namespace {

const std::string desk =
    "stations:\n"
    "  desk:\n"
    "    console: { unix: /run/console, baud: 115200 }\n"
    "    analyzer: { sigrok: fx2lafw, samplerate: 4 MHz, channels: { tx: D0 }, clock: { within: 50 ppm } }\n";

std::string refusal(const std::string& text, const std::string& name = "desk") {
    try {
        read_station(yaml::Document::parse(text, "lab.yaml"), name);
    } catch (const PlanError& error) {
        return error.message();
    }
    return "accepted";
}

TEST(Station, ThoseOfTheVirtualLabFileLoad) {
    const auto file = yaml::Document::load(RIG_SOURCE_DIR "/lab/virtual.yaml");
    for (const auto& name : station_names(file)) {
        const auto station = read_station(file, name);
        EXPECT_TRUE(station.bench);
        EXPECT_EQ(station.console.baud.value, 115200U);
        EXPECT_TRUE(station.analyzer.channels.contains("marker"));
    }
}

TEST(Station, WithoutASampleRateItFollowsTheBaud) {
    EXPECT_EQ(samplerate_for(Baud{9600}).hz, 2'000'000U);
    EXPECT_EQ(samplerate_for(Baud{115200}).hz, 2'000'000U);
    EXPECT_EQ(samplerate_for(Baud{921600}).hz, 16'000'000U);
    EXPECT_EQ(samplerate_for(Baud{4'000'000}).hz, 64'000'000U);
    const auto station = read_station(yaml::Document::parse("stations:\n"
                                                            "  desk:\n"
                                                            "    console: { unix: /run/console, baud: 460800 }\n"
                                                            "    analyzer: { sigrok: fx2lafw, channels: { tx: D0 } }\n",
                                                            "lab.yaml"),
                                      "desk");
    EXPECT_EQ(station.analyzer.samplerate.hz, 8'000'000U);
}

TEST(Station, ASampleRateThatCannotTellTheBitsApartIsRefused) {
    EXPECT_EQ(
        refusal("stations:\n"
                "  desk:\n"
                "    console: { unix: /run/console, baud: 921600 }\n"
                "    analyzer: { sigrok: fx2lafw, samplerate: 2 MHz, channels: { tx: D0 } }\n"),
        "lab.yaml:4:46: samplerate is 2.2 samples for each bit at 921600 baud, at least 4 are needed (try 16 MHz, "
        "or leave samplerate out)");
}

TEST(Station, WhatIsNotStatedIsNotAssumed) {
    const auto station = read_station(yaml::Document::parse(desk, "lab.yaml"), "desk");
    EXPECT_FALSE(station.board.uart_fifo);
    EXPECT_FALSE(station.bench);
    EXPECT_DOUBLE_EQ(station.analyzer.clock_within, 50e-6);
}

TEST(Station, OneThatIsNotThereIsRefusedWithThoseThatAre) {
    EXPECT_EQ(refusal(desk, "desk2"), "lab.yaml: there is no station 'desk2' (it lists desk)");
}

TEST(Station, ANameGivenToTwoStationsIsRefused) {
    const auto message = refusal(desk + desk.substr(desk.find("  desk")));
    EXPECT_EQ(message, "lab.yaml:5:3: 'desk' is given twice (keep one of the two)");
}

TEST(Station, ANameIsAWordThatAPathCanHold) {
    EXPECT_EQ(refusal("stations:\n  a.b: {}\n"),
              "lab.yaml:2:3: 'a.b' cannot be the name of a station (letters, digits, - and _ can stand in it)");
}

TEST(Station, TwoRolesOnOneChannelAreRefused) {
    const auto message = refusal(
        "stations:\n  desk:\n    console: { unix: /c, baud: 9600 }\n"
        "    analyzer: { sigrok: x, samplerate: 1 MHz, channels: { tx: D0, rx: D0 } }\n");
    EXPECT_NE(message.find("rx is on 'D0', and so is tx"), std::string::npos) << message;
}

TEST(Station, ASampleRateWantsAUnit) {
    const auto message = refusal(
        "stations:\n  desk:\n    console: { unix: /c, baud: 9600 }\n"
        "    analyzer: { sigrok: x, samplerate: 1000000, channels: { tx: D0 } }\n");
    EXPECT_EQ(message, "lab.yaml:4:40: samplerate wants a unit (try '4 MHz')");
}

TEST(Station, PlaceholdersAreFilledAndUnknownOnesAreRefused) {
    EXPECT_EQ(expand("a ${x} b ${x}", {{"x", "1"}}), "a 1 b 1");
    EXPECT_THROW(expand("${y}", {{"x", "1"}}), PlanError);
    EXPECT_THROW(expand("${x", {{"x", "1"}}), PlanError);
}

}  // namespace
}  // namespace rig::lab
