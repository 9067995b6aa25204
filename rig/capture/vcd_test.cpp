// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/vcd.hpp"

#include "rig/capture/test_capture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rig::capture {
namespace {

using testing::names_of;
using testing::put;
using testing::refusal;
using testing::trace;
using testing::traces_of;

constexpr const char* two_lines =
    "$timescale 1 us $end\n"
    "$var wire 1 ! rx $end\n"
    "$var wire 1 \" tx $end\n"
    "$enddefinitions $end\n";

class Vcd : public ::testing::Test {
protected:
    std::unique_ptr<Source> open(const std::string& text) { return open_vcd(put(folder_, "a.vcd", text)); }
    std::string refused(const std::string& text) {
        return refusal(folder_, std::function<std::unique_ptr<Source>()>([this, &text] { return open(text); }));
    }
    /// The rate of a dump with this timescale and these times.
    std::uint64_t rate(const std::string& scale, const std::vector<std::string>& times,
                       const std::string& comment = "") {
        std::string text = fmt::format("$comment {} $end $timescale {} $end $var wire 1 ! rx $end\n", comment, scale);
        for (const std::string& time : times) text += "#" + time + "\n";
        return open(text)->rate().hz;
    }

    tests::Folder folder_;
};

TEST_F(Vcd, GivesItsLevelsFromItsFirstTimeOn) {
    const auto source = open(std::string(two_lines) + "#5 1! 0\"\n#6\n0!\n1\"\n#8 1!\n#10\n");
    EXPECT_EQ(source->rate().hz, 1'000'000U);
    EXPECT_EQ(source->channels(), (std::vector<Channel>{{"rx", 0}, {"tx", 1}}));
    const auto traces = traces_of(*source);
    EXPECT_EQ(traces[0], trace(1'000'000, "100111"));
    EXPECT_EQ(traces[1], trace(1'000'000, "011111"));
}

TEST_F(Vcd, ReadsOnlyWhatIsWantedAndMayBeReadAgain) {
    const auto source = open(std::string(two_lines) + "#0 1! 0\"\n#1 0! 1\"\n#2\n");
    for (int i = 0; i < 2; ++i) {
        const auto traces = traces_of(*source, {"tx"});
        ASSERT_EQ(traces.size(), 1U);
        EXPECT_EQ(traces[0], trace(1'000'000, "011"));
    }
    EXPECT_EQ(traces_of(*source, {"tx", "rx", "tx"})[2], trace(1'000'000, "011"));
}

TEST_F(Vcd, KeepsTheLevelThroughUnknownAndFloating) {
    const auto source =
        open(std::string(two_lines) + "$dumpvars x! z\" $end #0\n#1 1! \n#2 x! h\"\n#3 Z!\n#4 0! L\"\n");
    const auto traces = traces_of(*source);
    EXPECT_EQ(traces[0], trace(1'000'000, "01110"));
    EXPECT_EQ(traces[1], trace(1'000'000, "00110"));
}

TEST_F(Vcd, TakesTheLastOfSeveralLevelsAtATime) {
    const auto source = open(std::string(two_lines) + "#0 1! 0!\n#1 1! 0! 1\" \n#1 1!\n#2\n");
    EXPECT_EQ(traces_of(*source)[0], trace(1'000'000, "011"));
}

TEST_F(Vcd, SkipsCommandsAndWhatIsDumpedWithinThem) {
    const auto source = open(std::string(two_lines) +
                             "$dumpvars\n1!\n$end\n#0 $comment #99 0! $end\n#1\n$dumpoff x! $end #2 $dumpon 0! $end\n"
                             "#3 $vcdclose #9 $end\n");
    EXPECT_EQ(traces_of(*source)[0], trace(1'000'000, "1100"));
}

TEST_F(Vcd, MakesAChannelOfEveryBit) {
    const auto source = open(
        "$timescale 1ns $end\n$var reg 4 # data [3:0] $end\n$var reg 2 % up[0:1] $end $var wire 1 & bit [7] $end\n"
        "$var integer 2 $ n $end $var wire 2 ' mem[5] [9:8] $end $var wire 2 ( odd [9:0] $end\n"
        "#0 b1010 # b10 % 1&\n#1 b1 # b1 %\n#2 bx1 #\n#3 b111110101 # 0#\n#4 1#\n");
    EXPECT_EQ(names_of(*source),
              (std::vector<std::string>{"data[3]", "data[2]", "data[1]", "data[0]", "up[0]", "up[1]", "bit[7]", "n[1]",
                                        "n[0]", "mem[5][9]", "mem[5][8]", "odd[1]", "odd[0]"}));
    const auto traces = traces_of(*source);
    constexpr std::uint64_t hz = 1'000'000'000;
    EXPECT_EQ(traces[0], trace(hz, "10000"));
    EXPECT_EQ(traces[2], trace(hz, "10000"));
    EXPECT_EQ(traces[3], trace(hz, "01101"));
    EXPECT_EQ(traces[4], trace(hz, "10000"));
    EXPECT_EQ(traces[5], trace(hz, "01111"));
    EXPECT_EQ(traces[6], trace(hz, "11111"));
}

TEST_F(Vcd, LeavesRealsStringsAndEventsOut) {
    const auto source = open(
        "$timescale 1ns $end $var real 64 ! volts $end $var wire 1 \" rx $end $var event 1 e done $end\n"
        "$var string 1 s state $end\n#0 r-1.5e3 ! 1\" 1e sIDLE s\n#1 R2 ! 0\"\n#2\n");
    EXPECT_EQ(names_of(*source), (std::vector<std::string>{"rx"}));
    EXPECT_EQ(traces_of(*source)[0], trace(1'000'000'000, "100"));
}

TEST_F(Vcd, PutsTheScopeBeforeNamesThatAreShared) {
    const auto source = open(
        "$timescale 1ns $end $scope module top $end $var wire 1 ! clk $end $var wire 1 \" rx $end\n"
        "$scope module uart $end $var wire 1 ! clk $end $var wire 1 # clk $end $upscope $end $upscope $end\n"
        "$upscope $end $var wire 1 $ clk $end\n#0 1!\n#1 0!\n");
    EXPECT_EQ(names_of(*source), (std::vector<std::string>{"top.clk", "rx", "top.uart.clk", "top.uart.clk#2", "clk"}));
    EXPECT_EQ(traces_of(*source, {"top.uart.clk"})[0], trace(1'000'000'000, "10"));
}

TEST_F(Vcd, ReadsIdentifiersOfAnyPrintableCharacters) {
    const auto source = open(
        "$timescale 1ns $end $var wire 1 #1 a $end $var wire 1 $ b $end $var wire 1 b0 c $end $var wire 1 !\"%& d "
        "$end\n"
        "#0 1#1 0$ 1b0 0!\"%&\n#1 b0 #1 1$ b0 b0 b1 !\"%&\n");
    const auto traces = traces_of(*source);
    for (const std::size_t i : {0U, 2U}) EXPECT_EQ(traces[i], trace(1'000'000'000, "10")) << i;
    for (const std::size_t i : {1U, 3U}) EXPECT_EQ(traces[i], trace(1'000'000'000, "01")) << i;
}

TEST_F(Vcd, HasTheRateOfTheCoarsestGrid) {
    EXPECT_EQ(rate("1 us", {"0", "10", "40"}), 100'000U);
    EXPECT_EQ(rate("1us", {"7", "17", "27"}), 100'000U);
    EXPECT_EQ(rate("\n\t1\n\tns\n", {"0", "3"}), 1'000'000'000U);
    EXPECT_EQ(rate("100 ps", {"0", "5", "10"}), 2'000'000'000U);
    EXPECT_EQ(rate("10 ms", {"0", "1"}), 100U);
    EXPECT_EQ(rate("1 s", {"0", "1"}), 1U);
    EXPECT_EQ(rate("1 s", {"0", "6"}), 1U);
    EXPECT_EQ(rate("10 s", {"0", "6"}), 1'000'000'000'000U);
    EXPECT_EQ(rate("1 fs", {"0", "7"}), 1'000'000'000'000'000U);
    EXPECT_EQ(rate("1 us", {"18446744073709551614", "18446744073709551615"}), 1'000'000U);
}

TEST_F(Vcd, BelievesAStatedRateWhenItsTimesLieOnItsGrid) {
    const std::string stated = "Acquisition with 8/8 channels at";
    EXPECT_EQ(rate("1 us", {"0", "10", "40"}, stated + " 1 MHz"), 1'000'000U);
    EXPECT_EQ(rate("1 us", {"0", "10", "40"}, stated + " 20 kHz"), 100'000U);
    EXPECT_EQ(rate("1 ns", {"0", "42", "83", "125", "1000"}, stated + " 24 MHz"), 24'000'000U);
    EXPECT_EQ(rate("1 ns", {"0", "42", "90", "125", "1000"}, stated + " 24 MHz"), 1'000'000'000U);
    EXPECT_EQ(rate("1 us", {"0", "10", "40"}, stated + " 1 parsec"), 100'000U);
}

TEST_F(Vcd, RoundsTimesToTheStatedGrid) {
    const auto source = open(
        "$comment Acquisition with 1/1 channels at 3 MHz $end $timescale 1 ns $end $var wire 1 ! rx $end\n"
        "#333 1!\n#666 0!\n#1000 1!\n#2000 0!\n");
    EXPECT_EQ(source->rate().hz, 3'000'000U);
    EXPECT_EQ(traces_of(*source)[0], trace(3'000'000, "101110"));
}

TEST_F(Vcd, StreamsLongDumps) {
    std::string text = two_lines;
    for (int i = 0; i < 200'000; ++i) text += fmt::format("#{} {}!\n", i, i % 2);
    const auto traces = traces_of(*open(text));
    EXPECT_EQ(traces[0].edges.size(), 199'999U);
    EXPECT_EQ(traces[1].samples, 200'000U);
}

TEST_F(Vcd, SaysWhatItLacks) {
    EXPECT_EQ(refused(""), "a.vcd: is empty | nothing was written; record it again");
    EXPECT_EQ(
        refused("$var wire 1 ! rx $end\n#0 1!\n#1 0!\n"),
        "a.vcd: has no $timescale, so its times have no unit | add a line such as: $timescale 1 ns $end; if it has "
        "no $ at all, it is no VCD");
    EXPECT_EQ(refused("$timescale 1 ns $end $var real 64 ! v $end #0 #1"),
              "a.vcd: declares no logic signal | reals and strings are no levels of a line; dump a wire, reg or logic");
    EXPECT_EQ(
        refused(std::string(two_lines)),
        "a.vcd: has no time, so nothing in it takes any time | record until the line has moved; a VCD has at least "
        "two times");
    EXPECT_EQ(refused(std::string(two_lines) + "#7 1!\n0!\n#7\n"),
              "a.vcd: has one time only, #7, so nothing in it takes any time | record until the line has moved; a VCD "
              "has at least two times");
}

TEST_F(Vcd, NamesThePlaceOfWhatIsWrong) {
    const std::string head = two_lines;
    const auto sentence = [this](const std::string& text) {
        const std::string whole = refused(text);
        return whole.substr(0, whole.find(" | "));
    };
    EXPECT_EQ(sentence(head + "#5\n#6\n1! #4\n"), "a.vcd:7:4: the time goes back from #6 to #4");
    EXPECT_EQ(sentence(head + "#18446744073709551616\n"),
              "a.vcd:5:1: '#18446744073709551616' is no time that fits in 64 bits");
    EXPECT_EQ(sentence(head + "#-1\n"), "a.vcd:5:1: '#-1' is no time that fits in 64 bits");
    EXPECT_EQ(sentence(head + "#1 1!\n 1? \n"), "a.vcd:6:3: no $var declares the identifier '?'");
    EXPECT_EQ(sentence(head + "#1\nb01\n"), "a.vcd:6:1: the value 'b01' has no identifier");
    EXPECT_EQ(sentence(head + "#1\nb !\n"), "a.vcd:6:1: 'b' is no time, value or command");
    EXPECT_EQ(sentence(head + "#1\nb012 !\n"), "a.vcd:6:1: 'b012' is no time, value or command");
    EXPECT_EQ(sentence(head + "#1\n\xff\xfe\n"), "a.vcd:6:1: '\\xff\\xfe' is no time, value or command");
    EXPECT_EQ(sentence(head + "#1\n$comment what is\n"), "a.vcd:6: the file ends within '$comment'");
    EXPECT_EQ(sentence(head + "#1\n$var wire 1 ! a $end\n"), "a.vcd:6: $var stands after the first time");
    EXPECT_EQ(sentence("$timescale 2 ns $end\n"), "a.vcd:1: the $timescale '2ns' is none");
    EXPECT_EQ(sentence("$timescale 1 week $end\n"), "a.vcd:1: the $timescale '1week' is none");
    EXPECT_EQ(sentence("$timescale $end\n"), "a.vcd:1: the $timescale '' is none");
    EXPECT_EQ(sentence("$timescale " + std::string(20000, '1')), "a.vcd:1:12: $timescale is too long");
    EXPECT_EQ(sentence("\n$var wire 1 ! $end\n"), "a.vcd:2: a $var has fewer than four words");
    EXPECT_EQ(sentence("$var wire 0 ! a $end\n"), "a.vcd:1: a $var cannot have '0' bits");
    EXPECT_EQ(sentence("$var wire -1 ! a $end\n"), "a.vcd:1: a $var cannot have '-1' bits");
    EXPECT_EQ(sentence("$var wire 4294967295 ! a $end\n"),
              "a.vcd:1: there are more than 262144 bits in all variables together");
    EXPECT_EQ(sentence("$var wire 200000 ! " + std::string(1000, 'a') + " $end\n"),
              "a.vcd:1: the names of all bits take more than 64 MiB");
    EXPECT_EQ(sentence(std::string(2'000'000, '1')), "a.vcd:1: is longer than 1 MiB");
    std::string scopes;
    for (int i = 0; i < 1025; ++i) scopes += "$scope module a $end\n";
    EXPECT_EQ(sentence(scopes), "a.vcd:1025: 1025 scopes lie within each other");
}

TEST_F(Vcd, RefusesTimesThatCannotBeCounted) {
    const auto of = [this](const std::string& scale) {
        return refused("$timescale " + scale + " $end $var wire 1 ! a $end #0 1! #1 0! #18446744073709551615");
    };
    EXPECT_EQ(
        of("1 us"),
        "a.vcd: its times span more than 104 days | the rig counts picoseconds in 63 bits; cut the capture, or look "
        "at the unit of its times");
    EXPECT_EQ(of("100 s").substr(0, 40), "a.vcd: its times span more than 104 days");
    EXPECT_EQ(
        of("1 fs"),
        "a.vcd: its times span more than 2^62 samples at 1000000000000000 Hz | cut the capture, or give its times "
        "in a coarser unit");
}

}  // namespace
}  // namespace rig::capture
