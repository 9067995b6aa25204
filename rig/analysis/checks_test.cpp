// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/checks.hpp"

#include <gtest/gtest.h>

namespace rig::analysis {
namespace {

using plan::Account;

TrialResult trial(unsigned number, double irq_off, double wire) {
    TrialResult result;
    result.trial = number;
    result.case_name = "sync";
    result.certified = true;
    result.irq_off_s = Figure{irq_off, 1e-7};
    result.wire_s = Figure{wire, 1e-6};
    return result;
}

plan::Plan plan_with(plan::AgreeCheck check) {
    plan::Plan plan;
    plan.cases.push_back({.name = "sync", .stimulus = plan::ShellStimulus{"sync"}, .points = {{}}, .trials = 1});
    plan.checks.push_back({"agree", "", check});
    return plan;
}

const plan::AgreeCheck half_a_millisecond{Account::irq_off, Account::wire, {0, std::chrono::microseconds{500}}, 1};

CheckResult decide(const std::vector<TrialResult>& trials, const plan::AgreeCheck& check) {
    return decide_checks(trials, {}, plan_with(check)).front();
}

TEST(Checks, AgreementOfEveryTrialPasses) {
    EXPECT_EQ(decide({trial(1, 0.0240, 0.0238), trial(2, 0.0236, 0.0238)}, half_a_millisecond).verdict, Verdict::pass);
}

TEST(Checks, OneTrialOffFailsUnlessAShareIsAllowed) {
    std::vector<TrialResult> trials;
    for (unsigned i = 1; i <= 19; ++i) trials.push_back(trial(i, 0.0238, 0.0238));
    trials.push_back(trial(20, 0.0258, 0.0238));
    EXPECT_EQ(decide(trials, half_a_millisecond).verdict, Verdict::fail);
    auto most = half_a_millisecond;
    most.share = 0.95;
    const auto result = decide(trials, most);
    EXPECT_EQ(result.verdict, Verdict::pass);
    EXPECT_EQ(result.why, "19 of 20 trials agree; the worst, trial 20, is 2 ms off where 500 us is allowed");
}

TEST(Checks, ATrialWithoutCertificateDecidesNothing) {
    auto rejected = trial(1, 0.0500, 0.0238);
    rejected.certified = false;
    EXPECT_EQ(decide({rejected}, half_a_millisecond).verdict, Verdict::inconclusive);
    EXPECT_EQ(decide({rejected, trial(2, 0.0238, 0.0238)}, half_a_millisecond).verdict, Verdict::pass);
}

TEST(Checks, AMissingAccountIsInconclusiveAndNeverAgreement) {
    auto blind = trial(1, 0, 0.0238);
    blind.irq_off_s.reset();
    EXPECT_EQ(decide({blind}, half_a_millisecond).verdict, Verdict::inconclusive);
    const auto result = decide({blind, trial(2, 0.0238, 0.0238)}, half_a_millisecond);
    EXPECT_EQ(result.verdict, Verdict::inconclusive);
    EXPECT_NE(result.why.find("certified trials lack a figure"), std::string::npos);
}

TEST(Checks, ASlopeLessCertainThanItsLimitDecidesNothing) {
    plan::Plan plan;
    plan.cases.push_back({.name = "length", .stimulus = plan::ShellStimulus{"x"}, .points = {{}}, .trials = 1});
    plan.checks.push_back({"slope", "", plan::SlopeCheck{Account::irq_off, 1, 0.03}});
    std::vector<TrialResult> trials{trial(1, 0.024, 0.024)};
    trials[0].case_name = "length";
    trials[0].baud_hz = Figure{115200, 1};
    const double frame = 10 / 115200.0;
    const auto verdict_of = [&](double slope, double u) {
        LineFit line;
        line.slope = {slope, u};
        line.points = 9;
        const std::vector<AccountFit> fits{{"length", Account::irq_off, line}};
        return decide_checks(trials, fits, plan).front().verdict;
    };
    EXPECT_EQ(verdict_of(frame * 1.01, frame * 0.005), Verdict::pass);
    EXPECT_EQ(verdict_of(frame * 1.01, frame * 0.02), Verdict::inconclusive);
    EXPECT_EQ(verdict_of(frame * 1.05, frame * 0.005), Verdict::fail);
}

CheckResult limited(const std::vector<TrialResult>& trials, const plan::LimitCheck& check) {
    auto plan = plan_with(half_a_millisecond);
    plan.checks = {{"limit", "", check}};
    return decide_checks(trials, {}, plan).front();
}

const plan::LimitCheck one_millisecond{
    .of = Account::irq_off, .at_most = std::chrono::milliseconds{1}, .marginal = std::chrono::microseconds{800}};

TEST(Checks, ALimitFailsAtTheWorstTrialAndNamesItsSite) {
    auto long_one = trial(7, 0.0238, 0.0238);
    long_one.sections.push_back({1, {}, {"uart_write", std::nullopt, 0, std::chrono::microseconds{300}}});
    long_one.sections.push_back({2, {}, {"vprintk_emit", std::nullopt, 0, std::chrono::microseconds{23'800}}});
    const auto result = limited({trial(6, 0.0003, 0.0238), long_one}, one_millisecond);
    EXPECT_EQ(result.verdict, Verdict::fail);
    EXPECT_EQ(result.why, "1 of 2 trials above; the worst, trial 7, is 23.8 ms ± 200 ns in vprintk_emit");
    EXPECT_NEAR(result.figure->value, 0.0238, 1e-9);
}

TEST(Checks, ALimitPassesBelowAndSpeaksOfWhatIsMarginal) {
    const auto result = limited({trial(1, 0.0003, 0.0238), trial(2, 0.0009, 0.0238)}, one_millisecond);
    EXPECT_EQ(result.verdict, Verdict::pass);
    EXPECT_NE(result.why.find("1 marginal, above 800 us"), std::string::npos) << result.why;
}

TEST(Checks, AFigureTooNearItsLimitDecidesNothing) {
    EXPECT_EQ(limited({trial(1, 0.0009999, 0.0238)}, one_millisecond).verdict, Verdict::inconclusive);
    EXPECT_EQ(limited({trial(1, 0.0010001, 0.0238)}, one_millisecond).verdict, Verdict::inconclusive);
}

TEST(Checks, ALimitIsNotPassedByTrialsThatLackItsFigure) {
    auto blind = trial(1, 0, 0.0238);
    blind.irq_off_s.reset();
    EXPECT_EQ(limited({blind}, one_millisecond).verdict, Verdict::inconclusive);
    EXPECT_EQ(limited({blind, trial(2, 0.0003, 0.0238)}, one_millisecond).verdict, Verdict::inconclusive);
    EXPECT_EQ(limited({blind, trial(2, 0.0238, 0.0238)}, one_millisecond).verdict, Verdict::fail);
}

TEST(Checks, TheSlopeIsJudgedAgainstTheFrameTimeOfTheFittedBaud) {
    plan::Plan plan;
    plan.cases.push_back({.name = "length", .stimulus = plan::ShellStimulus{"x"}, .points = {{}}, .trials = 1});
    plan.checks.push_back({"slope", "length", plan::SlopeCheck{Account::irq_off, 1, 0.03}});
    const auto trials_at = [](double frame_s) {
        std::vector<TrialResult> trials;
        for (const std::size_t frames : {30U, 100U, 300U, 900U}) {
            auto one = trial(static_cast<unsigned>(frames), static_cast<double>(frames) * frame_s, 1);
            one.case_name = "length";
            one.frames = frames;
            one.baud_hz = Figure{9600, 1};
            trials.push_back(one);
        }
        return trials;
    };
    const auto verdict = [&](double frame_s) {
        const auto trials = trials_at(frame_s);
        return decide_checks(trials, fit_accounts(trials, plan), plan).front().verdict;
    };
    EXPECT_EQ(verdict(10.0 / 9600), Verdict::pass);
    EXPECT_EQ(verdict(10.0 / 9600 * 1.02), Verdict::pass);
    EXPECT_EQ(verdict(10.0 / 9600 * 1.04), Verdict::fail);
    EXPECT_EQ(verdict(86.8e-6), Verdict::fail);
}

}  // namespace
}  // namespace rig::analysis
