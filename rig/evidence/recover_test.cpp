// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/recover.hpp"

#include "rig/error.hpp"
#include "rig/evidence/append_file.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/evidence/manifest.hpp"
#include "rig/evidence/recorder.hpp"
#include "rig/evidence/sr_file.hpp"
#include "tests/folder.hpp"

#include <array>
#include <fstream>

#include <gtest/gtest.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::byte, 500> some_samples{};

class RecoverTest : public testing::Test {
protected:
    /// A run with one trial done and a second one in mid-capture. It is still open.
    void begin_run() {
        bundle_ = create_bundle(folder_.path(), info_);
        recorder_.emplace(bundle_, info_, "plan: p\n", "stations: {}\n");
        recorder_->event(host_time{}, "run",
                         {{"rig", info_.rig_version},
                          {"plan", info_.plan},
                          {"station", info_.station},
                          {"started_utc", info_.started_utc}});
        TrialRecord first;
        first.trial = 1;
        recorder_->trial_begin(host_time{}, first);
        recorder_->trial(host_time{}, first);
        TrialRecord second;
        second.trial = 2;
        second.case_name = "sync";
        recorder_->trial_begin(host_time{}, second);
        spool_ = recorder_->capture(2);
        const device::SampleLayout layout{.unitsize = 1, .bits = {{"tx", 0}, {"marker", 2}}};
        spool_->begin(SampleRate{1'000'000}, layout);
        recorder_->capture_begin(host_time{}, *spool_, {SampleRate{1'000'000}, 2000, {}}, layout);
        spool_->samples(some_samples);
        recorder_->console(std::as_bytes(std::span(std::string_view("[ 1.0] cut"))), host_time{});
    }
    /// Its process is gone; what the kernel had taken stays.
    void kill_run() {
        spool_.reset();
        recorder_.reset();
    }

    rig::tests::Folder folder_;
    RunInfo info_{"0.1.0", "p", "desk", "2026-11-30T21:04:05Z"};
    fs::path bundle_;
    std::optional<Recorder> recorder_;
    std::unique_ptr<CaptureSpool> spool_;
};

TEST_F(RecoverTest, TheTrialThatWasGoingOnKeepsItsSamplesAndTheBundleIsSealed) {
    begin_run();
    kill_run();
    std::ofstream(bundle_ / "events.jsonl", std::ios::app) << R"({"at_ns":1,"eve)";
    const auto recovery = recover(bundle_);
    EXPECT_EQ(recovery.outcome, Recovery::Outcome::closed);
    EXPECT_EQ(recovery.trials, 2U);
    ASSERT_EQ(recovery.notes.size(), 2U);
    EXPECT_EQ(recovery.notes[0], "events.jsonl ended in half a line of 15 bytes");
    EXPECT_EQ(recovery.notes[1], "trial 2 was cut off: 500 of 2000 samples were kept");

    EXPECT_TRUE(find_damage(bundle_).empty());
    const auto bundle = Bundle::open(bundle_);
    const auto& cut = bundle.trials().back();
    EXPECT_EQ(cut.case_name, "sync");
    EXPECT_EQ(cut.failure->what, "rig was killed in trial 2");
    EXPECT_EQ(cut.capture->samples, 500U);
    EXPECT_EQ(cut.console_to, 10U);
    EXPECT_FALSE(bundle.ended());
    const auto session = SrFile::open(bundle_ / cut.capture->file);
    EXPECT_EQ(session.samples(), 500U);
    EXPECT_EQ(session.channel("marker").bit, 2U);
}

TEST_F(RecoverTest, OneThatIsClosedOrWholeIsLeftAsItIs) {
    begin_run();
    kill_run();
    recover(bundle_);
    const auto manifest = read_file(bundle_ / "manifest.json");
    EXPECT_EQ(recover(bundle_).outcome, Recovery::Outcome::was_whole);
    EXPECT_EQ(read_file(bundle_ / "manifest.json"), manifest);
}

TEST_F(RecoverTest, ARunThatStillGoesOnIsRefused) {
    begin_run();
    EXPECT_THROW(recover(bundle_), BenchError);
    EXPECT_FALSE(is_sealed(bundle_));
}

TEST_F(RecoverTest, WhereverTheEventsWereCutTheBundleOpensAfterwards) {
    begin_run();
    kill_run();
    const auto whole = read_file(bundle_ / "events.jsonl");
    const auto first_line = whole.find('\n') + 1;
    for (std::size_t size = first_line; size <= whole.size(); ++size) {
        const auto copy = folder_.path() / "copy";
        fs::remove_all(copy);
        fs::copy(bundle_, copy, fs::copy_options::recursive);
        fs::resize_file(copy / "events.jsonl", size);
        ASSERT_EQ(recover(copy).outcome, Recovery::Outcome::closed) << size;
        ASSERT_TRUE(find_damage(copy).empty()) << size;
        ASSERT_NO_THROW(Bundle::open(copy)) << size;
    }
}

TEST_F(RecoverTest, AFolderWithoutARunIsRefused) {
    EXPECT_THROW(recover(folder_.path()), PlanError);
    fs::create_directories(folder_.path() / "early");
    std::ofstream(folder_.path() / "early/events.jsonl") << R"({"at_ns":0,"ev)";
    EXPECT_THROW(recover(folder_.path() / "early"), PlanError);
}

}  // namespace
}  // namespace rig::evidence
