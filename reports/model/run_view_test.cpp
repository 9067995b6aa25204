// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/run_view.hpp"

#include "reports/model/check_points.hpp"
#include "reports/model/point_summary.hpp"
#include "reports/model/scene.hpp"
#include "reports/testing/sample_run.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::reports {
namespace {

using json = nlohmann::ordered_json;

TEST(RunView, RefusesAResultOfAnotherSchema) {
    try {
        read_run(json{{"schema", "rig.result/9"}});
        FAIL();
    } catch (const PlanError& error) {
        EXPECT_STREQ(error.what(), "the result has schema 'rig.result/9' where 'rig.result/1' is read");
    }
}

TEST(RunView, TakesFieldsOfTheWrongKindForAbsent) {
    const auto run =
        read_run(json::parse(R"({"schema":"rig.result/1","verdict":7,"trials":[],"checks":{},"accounts":"x",
        "cases":[{"case":3,"points":[{"trials":[{"trial":"x","certified":"yes","wire_s":{"value":"1"},"irq_off":[{"site":1}]}]}]}],
        "fits":[{"slope_s_per_frame":1}],"environment":[1]})"));
    EXPECT_EQ(run.verdict, Outcome::error);
    ASSERT_EQ(run.trials.size(), 1U);
    EXPECT_FALSE(run.trials[0].certified);
    EXPECT_FALSE(run.trials[0].wire_s);
    EXPECT_TRUE(run.trials[0].sections.empty());
    EXPECT_TRUE(run.fits.empty());
    EXPECT_EQ(run.worst_trial(), nullptr);
}

TEST(RunView, FindsTheWorstCertifiedTrial) {
    const testing::ScratchFolder folder;
    const auto run = read_run(testing::make_sample({}, folder.path()));
    const auto* worst = run.worst_trial();
    ASSERT_NE(worst, nullptr);
    EXPECT_EQ(worst->point, "length=900");
    for (const auto& trial : run.trials) {
        if (trial.certified) {
            EXPECT_LE(trial.irq_off_s->value, worst->irq_off_s->value);
        }
    }
}

TEST(PointSummary, CountsRejectedTrialsAndMeasuresTheOthers) {
    const testing::ScratchFolder folder;
    const auto run = read_run(testing::make_sample({}, folder.path()));
    const auto points = summarise_points(run);
    ASSERT_EQ(points.size(), 6U);
    EXPECT_EQ(points[0].case_name, "sync");
    EXPECT_EQ(points[0].attempts, 20U);
    EXPECT_EQ(points[0].certified, 19U);
    EXPECT_EQ(points[0].frames, 274);
    EXPECT_NEAR(points[0].wire_s->value, 274 * 10 / 115200.0, 1e-9);
}

TEST(Typical, HoldsTheScatterOfTheTrialsAndTheInstrument) {
    const std::vector<Figure> figures{{10, 3}, {11, 3}, {12, 3}, {13, 3}, {90, 3}};
    const auto middle = typical(figures);
    ASSERT_TRUE(middle);
    EXPECT_EQ(middle->value, 12);
    EXPECT_NEAR(middle->u, std::sqrt(9 + 1.4826 * 1.4826), 1e-12);
    EXPECT_FALSE(typical({}));
}

TrialView trial_with(std::uint64_t hz, double lost) {
    TrialView trial;
    trial.hz = hz;
    trial.lost_ticks = Figure{lost, 0.4};
    return trial;
}

std::size_t count_of(const std::vector<TickMark>& marks, TickFate fate) {
    return static_cast<std::size_t>(std::ranges::count(marks, fate, &TickMark::fate));
}

TEST(TickMarks, AllButOneOfASectionAreDrawnAsLostWhereTheTickIsPeriodic) {
    const auto marks = place_ticks(trial_with(1000, 22.8), 0, 0.02435);
    EXPECT_EQ(marks.size(), 24U);
    EXPECT_EQ(count_of(marks, TickFate::lost), 23U);
    EXPECT_EQ(marks.back().fate, TickFate::delivered_late);
    EXPECT_DOUBLE_EQ(marks.back().at_s, 0.02435);
}

TEST(TickMarks, NoneIsDrawnAsLostWhereTheKernelCatchesUp) {
    const auto marks = place_ticks(trial_with(1000, -0.3), 0, 0.02435);
    EXPECT_EQ(marks.size(), 24U);
    EXPECT_EQ(count_of(marks, TickFate::lost), 0U);
}

TEST(TickMarks, NoneIsDrawnWhereHzIsUnknownOrNoTickWasDue) {
    EXPECT_TRUE(place_ticks(TrialView{}, 0, 0.024).empty());
    EXPECT_TRUE(place_ticks(trial_with(0, 0), 0, 0.024).empty());
    EXPECT_TRUE(place_ticks(trial_with(1000, 5e6), 0, 4000).empty());
}

TEST(Scene, AlignsTheSectionWithTheMarkerPulse) {
    const testing::ScratchFolder folder;
    const auto run = read_run(testing::make_sample({}, folder.path()));
    const auto scene = read_scene(evidence::Bundle::open(folder.path()), *run.worst_trial());
    ASSERT_TRUE(scene) << scene.error();
    EXPECT_EQ(scene->mark, SharedMark::marker_pulse);
    EXPECT_EQ(scene->characters.size(), *run.worst_trial()->frames);
    EXPECT_NEAR(scene->main_section()->begin_s, -62e-6, 1e-9);
    EXPECT_EQ(scene->characters.back().value, '\n');
}

TEST(Scene, AlignsTheSectionAtTheFirstStartBitWithoutAMarker) {
    const testing::ScratchFolder folder;
    auto run = read_run(testing::make_sample({}, folder.path()));
    auto trial = *run.worst_trial();
    trial.marker_on_wire.reset();
    const auto scene = read_scene(evidence::Bundle::open(folder.path()), trial);
    ASSERT_TRUE(scene) << scene.error();
    EXPECT_EQ(scene->mark, SharedMark::first_start_bit);
    EXPECT_EQ(scene->main_section()->begin_s, 0);
}

TEST(Scene, SaysWhatIsMissing) {
    const testing::ScratchFolder folder;
    const auto run = read_run(testing::make_sample({}, folder.path()));
    const auto bundle = evidence::Bundle::open(folder.path());
    EXPECT_EQ(read_scene(bundle, TrialView{}).error(), "the trial has no capture");
    auto trial = *run.worst_trial();
    std::filesystem::resize_file(folder.path() / trial.capture, 100);
    EXPECT_FALSE(read_scene(bundle, trial));
    trial.capture = "capture/9999.sr";
    EXPECT_EQ(read_scene(bundle, trial).error(), "the bundle no longer holds the capture capture/9999.sr");
}

TEST(CheckPoints, HoldEachCertifiedTrialsDifferenceAndItsBand) {
    const testing::ScratchFolder folder;
    const auto run = read_run(testing::make_sample({}, folder.path()));
    const auto plan = plan::read_plan(evidence::Bundle::open(folder.path()).plan());
    const auto points = points_of_check(run, plan.checks.at(0));
    ASSERT_TRUE(points);
    EXPECT_EQ(points->what, "irq_off − wire");
    EXPECT_EQ(points->points.size(), run.certified);
    EXPECT_NEAR(points->points[0].most, 0.03 * 274 * 10 / 115200.0 + 500e-6, 1e-8);
    EXPECT_FALSE(points_of_check(run, plan.checks.at(3)));
}

}  // namespace
}  // namespace rig::reports
