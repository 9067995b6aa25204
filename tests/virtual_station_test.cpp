// SPDX-License-Identifier: GPL-3.0-or-later
// rig as a user runs it, on the virtual station: a real ARM Linux, a paced wire, libsigrok's own driver.
#include "rig/evidence/append_file.hpp"
#include "tests/pty.hpp"
#include "tests/station_run.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <sys/wait.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::tests {
namespace {

using json = nlohmann::json;
namespace fs = std::filesystem;

/// A held-up guest needs longer than its 274 frames, never less.
void expect_long_record(const json& seconds) {
    EXPECT_GT(seconds.at("value"), 0.0220);
    EXPECT_LT(seconds.at("value"), 0.0400);
}

/// Noise of a busy host may turn these red in any trial; a fault's own line must be red besides them.
bool is_noise(const std::string& line) {
    return line == "run_delay" || line == "pacer_slip";
}

TEST(VirtualStation, ThePrintkPlanPassesAndTicksAreLost) {
    // With the plan's own limits: on a busy host the run may be inconclusive, and is then tried again.
    std::unique_ptr<StationRun> run;
    for (unsigned attempt = 1; attempt <= 3; ++attempt) {
        // 25 trials: the plan asks for 95 %, and the first use of a code path in QEMU can cost one.
        run = rig_run("testplans/printk.yaml --station versatilepb --set cases.0.trials=5 --set cases.1.trials=4");
        if (run->outcome.exit_code == 0) break;
    }
    if (run->outcome.exit_code == 2 &&
        run->result["cause"].get<std::string>().find("were rejected") != std::string::npos)
        GTEST_SKIP() << "the host is too busy for the virtual station: " << run->result["cause"];
    ASSERT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire", "interval", "jiffies", "irq_off", "marker"}));
    for (const auto& trial : trials_of(json{{"cases", {run->result["cases"][0]}}})) {
        if (!trial["certified"]) continue;
        EXPECT_EQ(trial["frames"], 274);
        expect_long_record(trial["wire_s"]);
        EXPECT_GT(trial["lost_ticks"]["value"], 20.0);
    }
    EXPECT_TRUE(fs::exists(run->bundle / "derived/report.html"));
}

TEST(VirtualStation, WithHighResolutionTimersNoTickIsLost) {
    const auto run = rig_run(busy_host + "--station versatilepb-hrt");
    ASSERT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    for (const auto& trial : trials_of(run->result)) {
        if (!trial["certified"]) continue;
        EXPECT_EQ(trial["model_lost_ticks"]["most"], 0);
        EXPECT_LT(trial["lost_ticks"]["value"].get<double>(), 2.0);
    }
}

TEST(VirtualStation, SigrokCliReadsTheSameBytesAsTheConsole) {
    const auto run = rig_run(busy_host);
    ASSERT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    const auto decoded = shell("sigrok-cli -i " + quoted((run->bundle / "capture/0001.sr").string()) +
                               " -P uart:rx=tx:baudrate=115200:format=hex -A uart=rx-data");
    std::string wire;
    for (std::size_t at = 0; (at = decoded.output.find(": ", at)) != std::string::npos; at += 2)
        wire += static_cast<char>(std::stoi(decoded.output.substr(at + 2, 2), nullptr, 16));
    const auto console = evidence::read_file(run->bundle / "console/main.bytes");
    ASSERT_GT(wire.size(), 300U) << decoded.output.substr(0, 500);
    EXPECT_NE(console.find(wire), std::string::npos);
}

TEST(VirtualStation, AReplayGivesTheSameBytesAndAChangedCaptureIsNamed) {
    const auto run = rig_run(busy_host);
    ASSERT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    const auto result_path = run->bundle / "derived/result.json";
    const auto before = evidence::read_file(result_path);
    fs::remove_all(run->bundle / "derived");
    EXPECT_EQ(shell(quoted(RIG_PROGRAM) + " replay " + quoted(run->bundle.string())).exit_code, 0);
    EXPECT_EQ(evidence::read_file(result_path), before);

    std::fstream capture(run->bundle / "capture/0002.sr", std::ios::in | std::ios::out | std::ios::binary);
    capture.seekp(200);
    const int old = capture.peek();
    capture.put(static_cast<char>(old ^ 1));
    capture.close();
    const auto refused = shell(quoted(RIG_PROGRAM) + " replay " + quoted(run->bundle.string()));
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_NE(refused.output.find("capture/0002.sr is not what the manifest says"), std::string::npos)
        << refused.output;
}

TEST(VirtualStation, WithIrqLatencyUnreadableTheWireAndTheMarkerStand) {
    const auto run = rig_run(busy_host + "--set " + quoted("setup=['mount -o bind /dev/null /proc/irq_latency']"));
    EXPECT_EQ(run->outcome.exit_code, 2) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire", "interval", "jiffies", "marker"}));
    EXPECT_NE(run->result["missing"]["irq_off"].get<std::string>().find("/proc/irq_latency"), std::string::npos);
    for (const auto& trial : trials_of(run->result)) {
        expect_long_record(trial["wire_s"]);
        expect_long_record(trial["marker_s"]);
    }
}

TEST(VirtualStation, AKernelWhosePatchSpeaksOtherwiseIsTheBenchsFault) {
    const auto run = rig_run(busy_host + "--set " + quoted("setup=['mount -o bind /proc/version /proc/printk_test']"));
    EXPECT_EQ(run->outcome.exit_code, 3) << run->outcome.output;
    EXPECT_EQ(run->result["culprit"], "bench");
    EXPECT_NE(run->result["cause"].get<std::string>().find("/proc/printk_test"), std::string::npos)
        << run->result["cause"];
    EXPECT_NE(run->result["hint"].get<std::string>().find("firmware-target"), std::string::npos);
}

TEST(VirtualStation, WithTheMarkerDisarmedIrqOffStands) {
    const auto run = rig_run(busy_host + "--set " + quoted("wants.target=[printk_test, irq_latency]"));
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_TRUE(run->result["missing"].contains("marker"));
    for (const auto& trial : trials_of(run->result)) expect_long_record(trial["irq_off_s"]);
}

TEST(VirtualStation, WithTheProbeUnpluggedThereIsNoWireFigureAtAll) {
    const auto run = rig_run(busy_host + fault("channel-unplug:channel=tx"));
    EXPECT_EQ(run->outcome.exit_code, 2) << run->outcome.output;
    for (const auto& trial : trials_of(run->result)) {
        EXPECT_FALSE(trial.contains("wire_s"));
        EXPECT_FALSE(trial.contains("frames"));
    }
    EXPECT_NE(run->result["cause"].get<std::string>().find("is its probe connected"), std::string::npos);
}

TEST(VirtualStation, ADiskThatIsFullInMidCaptureEndsTheRunInABundleThatOpens) {
    // No file may grow beyond some 200 KB: the console's and the events' stay below, the samples' do not.
    const auto run = rig_run("", "trap '' XFSZ; ulimit -f 300; ");
    EXPECT_EQ(run->outcome.exit_code, 3) << run->outcome.output;
    EXPECT_EQ(run->result["culprit"], "bench") << run->outcome.output;
    EXPECT_NE(run->result["cause"].get<std::string>().find("File too large"), std::string::npos)
        << run->result["cause"];
    EXPECT_TRUE(fs::exists(run->bundle / "manifest.json"));
}

TEST(VirtualStation, ARunThatWasKilledIsAnalysedAsFarAsItCame) {
    const auto run = rig_run(busy_host);
    ASSERT_TRUE(fs::exists(run->bundle / "manifest.json")) << run->outcome.output;
    // What kill -9 leaves: no manifest, and half a line at the end of the events.
    fs::remove(run->bundle / "manifest.json");
    const auto events = run->bundle / "events.jsonl";
    fs::resize_file(events, fs::file_size(events) - 40);
    const auto replay = shell(fmt::format("{} replay {}", quoted(RIG_PROGRAM), quoted(run->bundle.string())));
    EXPECT_EQ(replay.exit_code, 2) << replay.output;
    EXPECT_NE(replay.output.find("was cut off"), std::string::npos) << replay.output;
    const auto recovered = shell(fmt::format("{} recover {}", quoted(RIG_PROGRAM), quoted(run->bundle.string())));
    EXPECT_EQ(recovered.exit_code, 0) << recovered.output;
    EXPECT_NE(recovered.output.find("closed, 3 trials"), std::string::npos) << recovered.output;
    const auto result = json::parse(std::ifstream(run->bundle / "derived/result.json"));
    EXPECT_EQ(result["trials"]["certified"], 3);
}

struct LineFault {
    const char* name;
    const char* fault;
    const char* line;
};
class BenchFaults : public testing::TestWithParam<LineFault> {};

TEST_P(BenchFaults, EachTurnsItsCertificateLineRedOnceAndTheTrialIsRepeated) {
    const auto run = rig_run(busy_host + fault(GetParam().fault));
    const auto trials = trials_of(run->result);
    ASSERT_GE(trials.size(), 4U) << run->outcome.output;
    auto red = red_lines(trials[1]);
    std::erase_if(red, [](const auto& line) { return is_noise(line) && line != GetParam().line; });
    EXPECT_EQ(red, std::vector<std::string>{GetParam().line}) << trials[1].dump(1);
    EXPECT_EQ(run->result["trials"]["certified"], 3);
}

INSTANTIATE_TEST_SUITE_P(All, BenchFaults,
                         testing::Values(LineFault{"AnalyzerClose", "analyzer-close:capture=2,at=410000", "samples"},
                                         LineFault{"LoseBlock", "analyzer-lose-block:capture=2,at=400000,samples=1500",
                                                   "heartbeat"},
                                         LineFault{"Pause", "analyzer-pause:capture=2,at=400000,ms=1700", "elapsed"},
                                         LineFault{"Glitch", "probe-glitch:capture=2,at=100,samples=2", "idle_before"},
                                         LineFault{"Break", "probe-glitch:capture=2,at=400000,samples=300", "framing"},
                                         LineFault{"PinLate", "pin-late:capture=2,ms=80", "late_events"},
                                         LineFault{"LoseByte", "console-lose-byte:capture=2,byte=250", "console_bytes"},
                                         LineFault{"Garbage", "console-garbage:capture=2,byte=250", "console_bytes"},
                                         LineFault{"GuestHeld", "guest-held:capture=2,byte=250,ms=40", "run_delay"},
                                         LineFault{"PacerStall", "pacer-stall:capture=2,byte=250,ms=4", "pacer_slip"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

struct EndingFault {
    const char* name;
    const char* fault;
    int exit_code;
    const char* culprit;
    const char* cause;
};
class BenchEndings : public testing::TestWithParam<EndingFault> {};

TEST_P(BenchEndings, EachHasItsCulpritAndItsCause) {
    const auto run = rig_run(busy_host + fault(GetParam().fault));
    EXPECT_EQ(run->outcome.exit_code, GetParam().exit_code) << run->outcome.output;
    EXPECT_EQ(run->result["culprit"], GetParam().culprit);
    EXPECT_NE(run->result["cause"].get<std::string>().find(GetParam().cause), std::string::npos)
        << run->result["cause"];
}

INSTANTIATE_TEST_SUITE_P(
    All, BenchEndings,
    testing::Values(EndingFault{"Reset", "board-reset:capture=2,byte=250", 1, "dut", "the board rebooted"},
                    EndingFault{"Hang", "board-hang:capture=2,byte=250", 1, "dut", "the board hung in trial 2"},
                    EndingFault{"NoAnalyzer", "analyzer-absent", 3, "bench", "no analyzer answers"},
                    EndingFault{"ConsoleUnplug", "console-unplug:capture=2,byte=250", 3, "bench", "the console"},
                    EndingFault{"AlwaysShort", "analyzer-close:at=1000", 3, "bench", "captures in a row"}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// What `rig doctor` says of the virtual station with one thing wrong.
struct Ailment {
    const char* name;
    const char* set;
    int exit_code;
    const char* said;
};
class Doctor : public testing::TestWithParam<Ailment> {};

TEST_P(Doctor, SaysWhatIsWrong) {
    const auto set = *GetParam().set == '\0' ? std::string() : "--set " + quoted(GetParam().set);
    const auto outcome = shell(fmt::format("cd {} && {} doctor {}", quoted(RIG_SOURCE_DIR), quoted(RIG_PROGRAM), set));
    EXPECT_EQ(outcome.exit_code, GetParam().exit_code) << outcome.output;
    EXPECT_NE(outcome.output.find(GetParam().said), std::string::npos) << outcome.output;
}

const char* const other_baud =
    "virtual.start=rig-vbench --firmware versatilepb-6.1 --baud 57600 --append 'highres=off nohz=off'";

INSTANTIATE_TEST_SUITE_P(
    All, Doctor,
    testing::Values(
        Ailment{"Nothing", "", 0, "bytes on the wire are the console's"},
        Ailment{"TxProbeInTheAir", "virtual.faults=['channel-unplug:channel=tx']", 3,
                "never moved while the console got"},
        Ailment{"TxProbeShorted", "virtual.faults=['channel-stuck:channel=tx']", 3, "channel tx         rests low"},
        Ailment{"TxProbeBehindRs232", "virtual.faults=['channel-invert:channel=tx']", 3,
                "channel tx         rests low"},
        Ailment{"ProbesSwapped", "analyzer.channels={ tx: P8_46, rx: P8_45 }", 3, "never moved while channel rx did"},
        Ailment{"AnotherBaud", other_baud, 3, "the wire runs at about 57600 baud, 115200 is set"},
        Ailment{"NoAnalyzer", "virtual.faults=['analyzer-absent']", 3, "no analyzer answers"},
        Ailment{"NoConsole", "console.unix=/no/such/console", 3, "cannot be opened"},
        Ailment{"ProbeOnTheMarker", "analyzer.channels={ tx: P8_43 }", 3, "channel tx         rests low"},
        Ailment{"HeartbeatNotWired", "analyzer.channels={ tx: P8_45, heartbeat: P8_39 }", 3,
                "channel heartbeat  rests low"},
        Ailment{"ABoardThatIsDead", "virtual.faults=['board-hang']", 3, "said nothing"},
        Ailment{"ShortCaptures", "virtual.faults=['analyzer-close:at=1000']", 3, "gave 1000 of 200000 samples"}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// The console over each kind of line that the bench offers.
class ConsoleLines : public testing::TestWithParam<const char*> {};

TEST_P(ConsoleLines, ARunPassesOverEach) {
    const std::string kind = GetParam();
    if (kind == "pty" && !host_has_ptys()) GTEST_SKIP() << "this host has no pseudo terminals";
    const auto start = fmt::format("virtual.start=rig-vbench --firmware versatilepb-6.1 --console {}", kind);
    const auto line = fmt::format("console={{ {}: '${{bench.console}}', baud: 115200 }}", kind);
    const auto run = rig_run(busy_host + "--set " + quoted(start) + " --set " + quoted(line));
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
}
INSTANTIATE_TEST_SUITE_P(All, ConsoleLines, testing::Values("tcp", "pty"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(VirtualStation, WhatIsWrongInAPlanIsOneSentenceWithItsPlace) {
    const Folder folder;
    const auto refused = [&](const std::string& text, const std::string& more = "") {
        const auto plan = folder.path() / "bad.yaml";
        std::ofstream(plan) << text;
        const auto outcome =
            shell(fmt::format("cd {} && {} run {} {} --runs {}", quoted(RIG_SOURCE_DIR), quoted(RIG_PROGRAM),
                              quoted(plan.string()), more, quoted(folder.path().string() + "/runs")));
        EXPECT_EQ(outcome.exit_code, 4) << outcome.output;
        EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
        return outcome.output;
    };
    const std::string good = "plan: p\ncases:\n  - { case: a, stimulus: { shell: sync } }\n";
    EXPECT_NE(refused(good + "trails: 3\n").find("bad.yaml:4:1: 'trails' is not a known key"), std::string::npos);
    EXPECT_NE(refused(good + "checks:\n  - { agree: [irq_off, wire], within: 3 MHz }\n").find("bad.yaml:5:39:"),
              std::string::npos);
    EXPECT_NE(refused("plan: [\n").find("bad.yaml:2:1: not valid YAML"), std::string::npos);
    EXPECT_NE(refused(good, "--station nowhere").find("there is no station 'nowhere'"), std::string::npos);
}

}  // namespace
}  // namespace rig::tests
