// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/table.hpp"

#include "reports/model/visible_text.hpp"
#include "reports/testing/hostile.hpp"
#include "reports/testing/sample_run.hpp"

#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::reports {
namespace {

using json = nlohmann::ordered_json;

json small_result() {
    return json::parse(
        R"({"schema":"rig.result/1","plan":"printk","station":"versatilepb","verdict":"inconclusive","culprit":"bench",
      "cause":"2 of 3 trials were rejected","accounts":["wire","irq_off"],
      "missing":{"marker":"no marker channel on this station"},
      "trials":{"attempted":3,"certified":1,"rejected":{"pacer_slip":2}},
      "checks":[{"name":"irq_off agrees with wire","kind":"agree","verdict":"pass","limit":"3 % + 500 us in every trial","why":"1 of 1 trials"},
                {"name":"lost ticks","kind":"model","verdict":"fail","limit":"within 1 tick","why":"too few"},
                {"name":"slope","kind":"fit","verdict":"inconclusive","limit":"1 frame","why":"no certified trials"}],
      "cases":[{"case":"sync","points":[{"parameters":{},"trials":[
        {"trial":1,"certified":true,"frames":274,"wire_s":{"value":0.023785,"u":9e-7},"irq_off_s":{"value":0.0238912,"u":5e-6},
         "lost_ticks":{"value":22.2,"u":0.4},"model_lost_ticks":{"least":22,"most":23}},
        {"trial":2,"certified":false,"why":"pacer_slip: 0.7 ms"},{"trial":3,"certified":false}]}]}],
      "fits":[{"case":"length","of":"irq_off","over":"frames","slope_s_per_frame":{"value":8.6806e-5,"u":9e-9},
               "intercept_s":{"value":1e-4,"u":4e-6},"trials":47}]})");
}

TEST(TerminalTable, ShowsAWholeResult) {
    EXPECT_EQ(render_table(small_result(), TableStyle::plain),
              R"(? INCONCLUSIVE  printk @ versatilepb  (culprit: bench)
2 of 3 trials were rejected

accounts  wire  irq_off
missing   marker: no marker channel on this station
trials    3 attempted, 1 certified, 2 rejected: 2 × pacer_slip

case   trials frames     wire ms  irq_off ms interval ms   marker ms     lost ticks  model
sync      1/3    274 23.79 ±0.01 23.89 ±0.01           -           - 22.2 22.2…22.2  22…23
medians of certified trials; ± 95 % for one trial, its scatter included

fits      irq_off of length: 86.806 ± 0.018 us per frame, 100.0 ± 8.0 us at 0 frames, 47 trials

✓ irq_off agrees with wire  3 % + 500 us in every trial
    1 of 1 trials
✗ lost ticks  within 1 tick
    too few
? slope  1 frame
    no certified trials
)");
}

TEST(TerminalTable, HasNoControlCodesInPlainAndOnlyColoursElsewhere) {
    const auto plain = render_table(small_result(), TableStyle::plain);
    const auto colour = render_table(small_result(), TableStyle::colour);
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    EXPECT_NE(colour.find("\x1b[33m? INCONCLUSIVE\x1b[0m"), std::string::npos);
    static const std::regex sgr("\x1b\\[[0-9]+m");
    EXPECT_EQ(std::regex_replace(colour, sgr, ""), plain);
}

std::size_t widest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
    return widest;
}

TEST(TerminalTable, StaysWithinAHundredColumns) {
    const testing::ScratchFolder folder;
    testing::SampleSpec spec;
    spec.lengths = {16, 100'0};
    EXPECT_LE(widest_line(render_table(testing::make_sample(spec, folder.path()), TableStyle::plain)), 100U);
    auto result = small_result();
    result["cause"] = std::string(500, 'x') + " " + std::string(90, 'y') + " 漢字";
    result["checks"][0]["name"] = std::string(300, 'n');
    result["cases"][0]["case"] = "a case with a very long name that nobody should write";
    EXPECT_LE(widest_line(render_table(result, TableStyle::plain)), 100U);
}

TEST(TerminalTable, ObeysNoControlOfATarget) {
    auto result = small_result();
    for (const auto* field : {"plan", "station", "cause", "culprit"}) result[field] = testing::hostile_text();
    result["missing"]["marker"] = testing::hostile_text();
    result["checks"][0]["why"] = testing::hostile_text();
    const auto text = render_table(result, TableStyle::plain);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\0'), std::string::npos);
    EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
    EXPECT_LE(widest_line(text), 100U);
}

TEST(TerminalTable, NamesAccountsThatAreMissingForOneReasonTogether) {
    auto result = small_result();
    result["missing"] = {
        {"wire", "no trial came so far"}, {"marker", "no such pin"}, {"irq_off", "no trial came so far"}};
    const auto text = render_table(result, TableStyle::plain);
    EXPECT_NE(text.find("missing   wire, irq_off: no trial came so far\nmissing   marker: no such pin\n"),
              std::string::npos);
}

TEST(TerminalTable, StandsWithoutAnyTrial) {
    const auto text = render_table(json{{"schema", "rig.result/1"},
                                        {"plan", "p"},
                                        {"station", "s"},
                                        {"verdict", "error"},
                                        {"cause", "no such board"}},
                                   TableStyle::plain);
    EXPECT_EQ(text,
              "! ERROR  p @ s\nno such board\n\naccounts  none\ntrials    0 attempted, 0 certified, 0 rejected\n");
}

}  // namespace
}  // namespace rig::reports
