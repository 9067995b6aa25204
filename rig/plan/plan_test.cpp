// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/plan/plan.hpp"

#include "rig/error.hpp"

#include <gtest/gtest.h>

namespace rig::plan {
namespace {

using namespace std::chrono_literals;

Plan read(const std::string& text) {
    return read_plan(yaml::Document::parse(text, "p.yaml"));
}

/// The sentence with which a plan is refused.
std::string refusal(const std::string& text) {
    try {
        read(text);
    } catch (const PlanError& error) {
        return error.message();
    }
    return "accepted";
}

const std::string small = "plan: p\ncases:\n  - { case: a, stimulus: { shell: sync } }\n";

TEST(Plan, ThePrintkPlanLoads) {
    const auto plan = read_plan(yaml::Document::load(RIG_SOURCE_DIR "/testplans/printk.yaml"));
    EXPECT_EQ(plan.name, "printk");
    ASSERT_EQ(plan.cases.size(), 2U);
    EXPECT_EQ(plan.cases[0].trials, 20U);
    EXPECT_EQ(plan.cases[1].points.size(), 5U);
    EXPECT_TRUE(plan.wants_feature(TargetFeature::marker));
    ASSERT_EQ(plan.checks.size(), 4U);
    const auto& agree = std::get<AgreeCheck>(plan.checks[0].what);
    EXPECT_EQ(agree.figure, Account::irq_off);
    EXPECT_EQ(agree.within.absolute, 500us);
    EXPECT_DOUBLE_EQ(agree.share, 0.95);
    const auto& slope = std::get<SlopeCheck>(plan.checks[3].what);
    EXPECT_DOUBLE_EQ(slope.within, 0.03);
    EXPECT_EQ(plan.checks[3].of_case, "length");
}

TEST(Plan, ASweepOfTwoParametersIsTheirProduct) {
    const auto plan = read(
        "plan: p\ncases:\n  - case: a\n    stimulus: { printk_test: { length: $l, count: $c } }\n"
        "    sweep: { l: [16, 64], c: [1, 2, 3] }\n");
    EXPECT_EQ(plan.cases[0].points.size(), 6U);
}

TEST(Plan, AnUnknownKeyIsRefusedWithItsPlaceAndTheNearestKnownOne) {
    EXPECT_EQ(refusal("plan: p\ncases:\n  - case: a\n    stimulus: { shell: sync }\n    trails: 3\n"),
              "p.yaml:5:5: 'trails' is not a known key (did you mean 'trials'?)");
}

TEST(Plan, ABareNumberWhereAUnitIsDueIsRefused) {
    EXPECT_EQ(refusal(small + "checks:\n  - { agree: [irq_off, wire], within: 3 }\n"),
              "p.yaml:5:39: within wants a unit (try '3 % + 500 us')");
    EXPECT_EQ(refusal(small + "certificate: { pacer slip: 500 }\n"),
              "p.yaml:4:28: pacer slip wants a unit (try '3 % + 500 us')");
}

TEST(Plan, BrokenYamlIsRefusedWithItsPlace) {
    const auto message = refusal("plan: p\ncases: [ { case: a, \n");
    EXPECT_TRUE(message.starts_with("p.yaml:3:1: not valid YAML")) << message;
}

TEST(Plan, ASecondDocumentInTheFileIsRefused) {
    EXPECT_NE(refusal(small + "---\nplan: q\n").find("p.yaml:5:1: a second YAML document begins here"),
              std::string::npos);
}

TEST(Plan, AFileThatNeverEndsIsRefused) {
    EXPECT_THROW(yaml::Document::load("/dev/zero"), PlanError);
}

TEST(Plan, AKeyGivenTwiceIsRefused) {
    EXPECT_EQ(refusal("plan: p\nplan: q\n"), "p.yaml:2:1: 'plan' is given twice (keep one of the two)");
}

TEST(Plan, AParameterSweptTwiceIsRefused) {
    const auto message =
        refusal("plan: p\ncases:\n  - { case: a, stimulus: { shell: sync }, sweep: { l: [1], l: [2] } }\n");
    EXPECT_EQ(message, "p.yaml:3:60: 'l' is given twice (keep one of the two)");
}

TEST(Plan, ASlopeIsAFiniteNumberOfFramesAboveZero) {
    for (const std::string slope : {"nan", "inf", "-1", "0"}) {
        const auto message =
            refusal(small + "checks:\n  - { fit: wire over frames, slope: " + slope + " frame ± 3 % }\n");
        EXPECT_NE(message.find("wants frames and a tolerance"), std::string::npos) << slope << ": " << message;
    }
}

TEST(Plan, ASlopeWithoutThreeLengthsIsRefusedForNoRunCouldDecideIt) {
    const std::string slope = "checks:\n  - { fit: wire over frames, slope: 1 frame ± 3 % }\n";
    EXPECT_NE(refusal(small + slope).find("fits a line, and no case of it sweeps 3 values or more"), std::string::npos);
    const std::string two =
        "plan: p\ncases:\n  - { case: a, stimulus: { printk_test: { length: $l } }, sweep: { l: [16, ";
    EXPECT_NE(refusal(two + "64] } }\n" + slope).find("fits a line"), std::string::npos);
    EXPECT_EQ(refusal(two + "64, 256] } }\n" + slope), "accepted");
}

TEST(Plan, AParameterThatIsNotSweptIsRefused) {
    const auto message = refusal("plan: p\ncases:\n  - { case: a, stimulus: { printk_test: { length: $length } } }\n");
    EXPECT_NE(message.find("names '$length', which this case does not sweep"), std::string::npos) << message;
}

TEST(Plan, ASweptLengthOutsideTheKernelsLimitIsRefused) {
    const auto message = refusal(
        "plan: p\ncases:\n  - { case: a, stimulus: { printk_test: { length: $l } }, sweep: { l: [16, 901] } }\n");
    EXPECT_NE(message.find("sweeps to a length of 901"), std::string::npos) << message;
}

TEST(Plan, ACheckOfACaseThatIsNotThereIsRefused) {
    const auto message = refusal(small + "checks:\n  - { model: lost_ticks, case: b }\n");
    EXPECT_NE(message.find("names 'b', which is no case of this plan"), std::string::npos) << message;
}

TEST(Plan, ACheckMustBeOneKindOfCheck) {
    EXPECT_NE(refusal(small + "checks:\n  - { within: 3 % }\n").find("exactly one of agree, model, fit"),
              std::string::npos);
    EXPECT_NE(refusal(small + "checks:\n  - { agree: [wire, jiffies], within: 3 % }\n").find("must be one of"),
              std::string::npos);
}

TEST(Plan, AStimulusIsOneLine) {
    EXPECT_NE(refusal("plan: p\ncases:\n  - { case: a, stimulus: { shell: \"a\\nb\" } }\n").find("one line"),
              std::string::npos);
}

TEST(Plan, NoCasesAndWrongShapesAreRefused) {
    EXPECT_NE(refusal("plan: p\n").find("has no 'cases'"), std::string::npos);
    EXPECT_NE(refusal("plan: p\ncases: []\n").find("at least one case"), std::string::npos);
    EXPECT_NE(refusal("plan: p\ncases: 7\n").find("must be a list"), std::string::npos);
    EXPECT_NE(refusal("- a\n").find("must be a mapping"), std::string::npos);
    EXPECT_NE(refusal("").find("must be a mapping"), std::string::npos);
}

TEST(Plan, ASettingFromTheCommandLineIsNamedWhenItIsWrong) {
    const auto document = yaml::Document::parse(small, "p.yaml").with({"cases.0.trials", "many"});
    try {
        read_plan(document);
        FAIL() << "accepted";
    } catch (const PlanError& error) {
        EXPECT_EQ(error.message(), "--set cases.0.trials=many: trials must be a whole number, not 'many'");
    }
}

TEST(Plan, ASettingIsInTheTextThatTheBundleKeeps) {
    const auto document = yaml::Document::parse(small, "p.yaml").with({"cases.0.trials", "7"});
    EXPECT_EQ(read(document.text()).cases[0].trials, 7U);
}

TEST(Plan, ASettingForAnItemThatIsNotThereIsRefused) {
    EXPECT_THROW(yaml::Document::parse(small, "p.yaml").with({"cases.5.trials", "7"}), PlanError);
    EXPECT_THROW(yaml::Document::parse(small, "p.yaml").with({"plan.x", "7"}), PlanError);
    EXPECT_THROW(yaml::Override::parse("nothing"), PlanError);
}

}  // namespace
}  // namespace rig::plan
