// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/page.hpp"

#include "reports/html/document.hpp"
#include "reports/html/line_drawing.hpp"
#include "reports/html/scale.hpp"
#include "reports/html/stylesheet.hpp"
#include "reports/testing/hostile.hpp"
#include "reports/testing/sample_run.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <re2/re2.h>

namespace rig::reports {
namespace {

using json = nlohmann::ordered_json;
using testing::SampleSpec;
using testing::ScratchFolder;

std::string page_of(const json& result, const ScratchFolder& folder) {
    return render_html(result, evidence::Bundle::open(folder.path()));
}

std::string sample_page(const SampleSpec& spec) {
    const ScratchFolder folder;
    return page_of(testing::make_sample(spec, folder.path()), folder);
}

std::size_t count_of(std::string_view page, std::string_view part) {
    std::size_t count = 0;
    for (auto at = page.find(part); at != std::string_view::npos; at = page.find(part, at + part.size())) ++count;
    return count;
}

/// Every tag of the page as it stands there, by the grammar that the writer keeps to: names in lower or camel case,
/// values in double quotes. A page that is not of this grammar fails.
std::map<std::string, std::vector<std::string>> tags_of(std::string page) {
    // A style sheet is no markup; the policy's hash holds it to what we wrote.
    const auto style = page.find("<style>");
    page.erase(style, page.find("</style>") - style);
    std::map<std::string, std::vector<std::string>> tags;
    std::size_t at = page.find('>') + 1;  // behind the document type
    // RE2: std::regex recurses once a character, and a path of an SVG is longer than a stack with sanitizers.
    static const RE2 tag(R"re(</?([A-Za-z][A-Za-z0-9]*)((?: [a-zA-Z-]+="[^"<>]*")*)(?: /)?>)re");
    static const RE2 name(R"re( ([a-zA-Z-]+)="[^"]*")re");
    for (at = page.find('<', at); at != std::string::npos; at = page.find('<', at + 1)) {
        const std::string text = page.substr(at, page.find('>', at) + 1 - at);
        std::string element;
        std::string list;
        if (!RE2::FullMatch(text, tag, &element, &list)) {
            ADD_FAILURE() << "no tag of ours: " << text.substr(0, 120);
            continue;
        }
        auto& attributes = tags[element];
        re2::StringPiece rest(list);
        for (std::string attribute; RE2::Consume(&rest, name, &attribute);) attributes.push_back(attribute);
    }
    return tags;
}

TEST(Page, IsTheSameForTheSameInput) {
    const ScratchFolder folder;
    const auto result = testing::make_sample({}, folder.path());
    EXPECT_EQ(page_of(result, folder), page_of(result, folder));
}

TEST(Page, ShowsTheWorstTrialAndTheNumbersToQuote) {
    const auto page = sample_page({});
    EXPECT_NE(page.find("printk @ versatilepb"), std::string::npos);
    EXPECT_NE(page.find("all 4 checks passed on 66 certified trials"), std::string::npos);
    EXPECT_NE(page.find("The worst certified trial: "), std::string::npos);
    EXPECT_NE(page.find("console_emit_next_record · CPU 0 · 81."), std::string::npos);
    EXPECT_NE(page.find("laid on the wire&#39;s time by the marker pulse"), std::string::npos);
    EXPECT_NE(page.find("86.804 ± 0.018 µs"), std::string::npos);
    EXPECT_EQ(count_of(page, "<svg class=\"scene\""), 3U);
    EXPECT_EQ(count_of(page, "<svg class=\"dotplot\""), 3U);
    EXPECT_EQ(count_of(page, "<svg class=\"chart\""), 1U);
    EXPECT_EQ(count_of(page, "<tr id=\"trial-"), 70U);
    EXPECT_EQ(count_of(page, "class=\"rejected\""), 4U);
}

TEST(Page, HasHeadingsInOrderAndNamesForEveryPicture) {
    const auto page = sample_page({});
    EXPECT_EQ(count_of(page, "<h1>"), 1U);
    EXPECT_LT(page.find("<h1>"), page.find("<h2>"));
    EXPECT_LT(page.find("<h2>"), page.find("<h3>"));
    EXPECT_EQ(count_of(page, "role=\"img\" aria-labelledby="), 7U);
    EXPECT_EQ(count_of(page, "<table>"), count_of(page, "<caption>"));
    EXPECT_NE(page.find("<html lang=\"en\">"), std::string::npos);
}

TEST(Page, AllowsNothingButItsOwnStyleSheet) {
    const auto page = sample_page({});
    const auto hash = std::regex_replace(hash_source(stylesheet().text()), std::regex("'"), "&#39;");
    const auto policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " + hash +
                        "; img-src data:; base-uri 'none'; form-action 'none'\" />";
    EXPECT_NE(page.find(policy), std::string::npos);
    EXPECT_EQ(page.find("://"), std::string::npos);
    EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Page, HashesAsTheStandardDoes) {
    // CSP Level 3, section 2.3.1 and RFC 6234's "abc".
    EXPECT_EQ(hash_source("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
}

TEST(Page, NeverLetsATargetsTextBecomeMarkup) {
    const auto ordinary = tags_of(sample_page({}));
    const auto page = sample_page(testing::hostile_spec());
    const auto hostile = tags_of(page);
    for (const auto& [tag, attributes] : hostile) {
        EXPECT_TRUE(ordinary.contains(tag)) << tag;
        for (const auto& attribute : attributes) {
            EXPECT_NE(std::ranges::count(ordinary.at(tag), attribute), 0) << tag << ' ' << attribute;
            EXPECT_FALSE(attribute.starts_with("on") || attribute == "style" || attribute == "src");
        }
    }
    EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
    EXPECT_NE(page.find("\\u{202E} fdp.exe"), std::string::npos);
    EXPECT_EQ(page.find('\0'), std::string::npos);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    EXPECT_EQ(page.find("\xe2\x80\xae"), std::string::npos);
    EXPECT_LT(page.size(), 400'000U);
}

TEST(Page, OfAThousandTrialsStaysUnderThreeMegabytes) {
    SampleSpec spec;
    spec.sync_trials = spec.trials_a_length = 167;
    EXPECT_LT(sample_page(spec).size(), 3'000'000U);
}

TEST(Page, OfARunWithoutTrialsGivesTheCauseAndTheConsole) {
    const ScratchFolder folder;
    const auto page = page_of(testing::make_failed_sample(folder.path()), folder);
    EXPECT_NE(page.find("the board did not reach its prompt within 60 s"), std::string::npos);
    EXPECT_NE(page.find("What to try: look at the boot log"), std::string::npos);
    EXPECT_NE(page.find("the bench: console, analyzer, power or disk"), std::string::npos);
    EXPECT_NE(page.find("Uncompressing Linux... done"), std::string::npos);
    EXPECT_NE(page.find("The bundle has no manifest"), std::string::npos);
}

TEST(Page, StandsWithoutCaptureFitsAndPlan) {
    const ScratchFolder folder;
    auto result = testing::make_sample({}, folder.path());
    std::filesystem::remove_all(folder.path() / "capture");
    std::filesystem::remove(folder.path() / "plan.yaml");
    result["fits"] = json::array();
    const auto page = page_of(result, folder);
    EXPECT_NE(page.find("There is no picture of the wire: the bundle no longer holds the capture"), std::string::npos);
    EXPECT_NE(page.find("nothing was fitted"), std::string::npos);
    EXPECT_EQ(page.find("class=\"dotplot\""), std::string::npos);
}

TEST(Page, ShowsARejectedTrialAsSuchWhereNoneIsCertified) {
    const ScratchFolder folder;
    auto result = testing::make_sample({}, folder.path());
    for (auto& one : result["cases"])
        for (auto& point : one["points"])
            for (auto& trial : point["trials"]) trial["certified"] = false;
    const auto page = page_of(result, folder);
    EXPECT_NE(page.find("No trial is certified; trial 1 was rejected"), std::string::npos);
}

TEST(Page, SaysWhenTheSectionIsAlignedWithoutASharedMark) {
    const ScratchFolder folder;
    auto result = testing::make_sample({}, folder.path());
    for (auto& one : result["cases"])
        for (auto& point : one["points"])
            for (auto& trial : point["trials"]) trial.erase("marker_on_wire");
    EXPECT_NE(page_of(result, folder).find("aligned at the first start bit: no shared mark"), std::string::npos);
}

// Contrast as WCAG 2.2 defines it, from the relative luminance of two sRGB colours.

double luminance(const std::string& hex) {
    double sum = 0;
    const std::array weights{0.2126, 0.7152, 0.0722};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
        sum += weights.at(i) * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double contrast(const std::string& a, const std::string& b) {
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

std::map<std::string, std::string> palette(std::string_view css, std::size_t from) {
    std::map<std::string, std::string> colours;
    const std::string block(css.substr(from, css.find('}', from) - from));
    static const std::regex colour(R"(--([a-z-]+): (#[0-9a-f]{6});)");
    for (std::sregex_iterator i(block.begin(), block.end(), colour), end; i != end; ++i) colours[(*i)[1]] = (*i)[2];
    return colours;
}

TEST(StyleSheet, HasEnoughContrastInLightAndDark) {
    const auto css = stylesheet().text();
    const auto light = css.find(":root");
    for (const auto& colours : {palette(css, light), palette(css, css.find(":root", light + 1))}) {
        ASSERT_EQ(colours.size(), 20U);
        const auto text_on = [&](const char* text, const char* under) {
            EXPECT_GE(contrast(colours.at(text), colours.at(under)), 4.5) << text << " on " << under;
        };
        for (const auto* under : {"panel", "paper", "irq-soft", "wire-soft"}) text_on("ink", under);
        for (const auto* under : {"panel", "paper"}) text_on("muted", under);
        for (const auto* outcome : {"pass", "fail", "inconclusive", "error"})
            text_on(outcome, (std::string(outcome) + "-soft").c_str());
        text_on("fail", "panel");
        for (const auto* drawn : {"wire", "irq", "mark", "ink", "fail"}) {
            EXPECT_GE(contrast(colours.at(drawn), colours.at("panel")), 3) << drawn;
            EXPECT_GE(contrast(colours.at(drawn), colours.at("band")), 3) << drawn;
        }
    }
}

TEST(LineDrawing, ShowsEdgesWhereTheyCanBeToldApart) {
    const Line line{true, 0, 10, {{2, false}, {4, true}}};
    const auto drawing = draw_line(line, {0, 10, 0, 100}, 0, 30);
    EXPECT_EQ(drawing.level.text(), "M0 0H20V30H40V0H100");
    EXPECT_TRUE(drawing.envelope.empty());
}

TEST(LineDrawing, GrowsWithItsWidthAndNotWithTheEdges) {
    Line line{true, 0, 10, {}};
    for (int i = 0; i < 1'000'000; ++i) line.changes.push_back({1 + i * 8e-6, i % 2 == 1});
    const auto drawing = draw_line(line, {0, 10, 0, 1000}, 0, 30);
    EXPECT_LT(drawing.level.text().size() + drawing.envelope.text().size() + drawing.mean.text().size(), 20'000U);
    EXPECT_EQ(drawing.envelope.text(), "M100 0H900V30H100Z");
}

TEST(Axis, MarksRoundNumbers) {
    const auto marks = axis_marks(-0.0012, 0.0251, 6, milliseconds);
    ASSERT_EQ(marks.size(), 6U);
    EXPECT_EQ(marks.front().label, "0");
    EXPECT_EQ(marks.back().label, "25");
    EXPECT_TRUE(axis_marks(1, 1, 5, seconds).empty());
}

TEST(Typeset, WritesMicrosecondsAsThePageDoes) {
    EXPECT_EQ(typeset("86.8 us per frame, status of 3 users, 5 us"), "86.8 µs per frame, status of 3 users, 5 µs");
}

}  // namespace
}  // namespace rig::reports
