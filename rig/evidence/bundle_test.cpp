// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/bundle.hpp"

#include "rig/error.hpp"
#include "rig/evidence/recorder.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;

class BundleTest : public testing::Test {
protected:
    BundleTest() {
        folder_ = fs::temp_directory_path() /
                  ("rig-bundle-test-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
    }
    ~BundleTest() override { fs::remove_all(folder_); }

    fs::path record() {
        const auto bundle = create_bundle(folder_, info_);
        Recorder recorder(bundle, info_, "plan: p\n", "stations: {}\n");
        recorder.console(std::as_bytes(std::span(std::string_view("hello"))), host_time{});
        TrialRecord trial;
        trial.trial = 1;
        trial.case_name = "sync";
        trial.parameters["length"] = 64;
        trial.failure = Failure{Culprit::bench, "a cable fell out", "put it back"};
        trial.target_files["irq_latency"] = recorder.store("target/0001/irq_latency.txt", "text\n");
        recorder.trial(host_time{std::chrono::seconds{1}}, trial);
        recorder.end(host_time{}, std::nullopt);
        recorder.seal();
        return bundle;
    }

    RunInfo info_{"0.1.0", "p", "desk", "2026-11-30T21:04:05Z"};
    fs::path folder_;
};

TEST_F(BundleTest, WhatWasRecordedIsReadBack) {
    const auto bundle = Bundle::open(record());
    ASSERT_EQ(bundle.trials().size(), 1U);
    EXPECT_EQ(bundle.trials()[0].parameters.at("length"), 64);
    EXPECT_EQ(bundle.trials()[0].failure->what, "a cable fell out");
    EXPECT_EQ(bundle.trials()[0].failure->culprit, Culprit::bench);
    EXPECT_EQ(bundle.console(1, 4), "ell");
    EXPECT_EQ(bundle.console(3, 100), "lo");
    EXPECT_TRUE(bundle.ended());
    EXPECT_FALSE(bundle.failure());
}

TEST_F(BundleTest, ARunNeverOverwritesAnother) {
    const auto first = record();
    const auto second = create_bundle(folder_, info_);
    EXPECT_NE(first, second);
    EXPECT_EQ(second.filename(), "2026-11-30T21-04-05Z_p_desk_2");
}

TEST_F(BundleTest, AWholeBundleHasNoDamageWhateverIsDerived) {
    const auto bundle = record();
    std::ofstream(bundle / "derived/result.json") << "{}";
    EXPECT_TRUE(find_damage(bundle).empty());
}

TEST_F(BundleTest, AChangedAMissingAndANewFileAreNamed) {
    const auto bundle = record();
    std::fstream(bundle / "console/main.bytes", std::ios::in | std::ios::out) << "J";
    fs::remove(bundle / "target/0001/irq_latency.txt");
    std::ofstream(bundle / "target/extra.txt") << "x";
    const auto damage = find_damage(bundle);
    ASSERT_EQ(damage.size(), 3U);
    EXPECT_EQ(damage[0], "console/main.bytes is not what the manifest says (its sha256 differs)");
    EXPECT_EQ(damage[1], "target/0001/irq_latency.txt is missing");
    EXPECT_EQ(damage[2], "target/extra.txt is not in the manifest");
}

TEST_F(BundleTest, AManifestThatPointsOutsideIsDamageAndIsNotFollowed) {
    const auto bundle = record();
    auto manifest = read_file(bundle / "manifest.json");
    const std::string listed = "\"console/main.bytes\"";
    manifest.replace(manifest.find(listed), listed.size(), "\"../../etc/hostname\"");
    std::ofstream(bundle / "manifest.json") << manifest;
    const auto damage = find_damage(bundle);
    ASSERT_EQ(damage.size(), 2U);
    EXPECT_EQ(damage[0], "manifest.json lists '../../etc/hostname', which lies outside the bundle");
}

TEST_F(BundleTest, AnEventThatAKillCutShortIsPassedOver) {
    const auto path = record();
    std::ofstream(path / "events.jsonl", std::ios::app) << R"({"at_ns":1,"event":"tri)";
    EXPECT_EQ(Bundle::open(path).trials().size(), 1U);
}

TEST_F(BundleTest, AFolderThatIsNoBundleIsRefused) {
    EXPECT_THROW(Bundle::open(folder_), PlanError);
    EXPECT_THROW(find_damage(folder_), PlanError);
}

TEST_F(BundleTest, TextThatIsNoUtf8DoesNotBreakTheEvents) {
    const auto path = create_bundle(folder_, info_);
    {
        Recorder recorder(path, info_, "plan: p\n", "stations: {}\n");
        recorder.end(host_time{}, Failure{Culprit::dut, "the board said \xff\xfe\n", ""});
    }
    EXPECT_TRUE(Bundle::open(path).failure());
}

TEST_F(BundleTest, AFullDiskIsABenchErrorWithAHint) {
    try {
        AppendFile full("/dev/full/x");
        FAIL();
    } catch (const BenchError& error) {
        EXPECT_FALSE(error.hint().empty());
    }
}

}  // namespace
}  // namespace rig::evidence
