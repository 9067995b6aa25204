// SPDX-License-Identifier: GPL-3.0-or-later
// Each fault strikes where it says, and nowhere else.
#include "drivers/sim/test_bench.hpp"
#include "rig/console/kernel_log.hpp"
#include "rig/error.hpp"
#include "rig/wire/burst.hpp"
#include "rig/wire/uart.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

constexpr SampleRate rate{2'000'000};
constexpr std::string_view typed = "sync\r";

/// A booted board with a fault, on which `sync` is typed in each of two captures.
class Trial {
public:
    explicit Trial(std::string_view fault) : bench_({.faults = {parse_fault(fault)}}) {
        bench_.boot();
        bench_.command("echo nonce=ab >/proc/printk_test; echo 1 >/proc/irq_marker");
    }

    struct Outcome {
        KeptSamples samples;
        device::CaptureEnd end;
        std::string console;
        nlohmann::json witness;
    };

    Outcome capture() {
        Outcome outcome;
        const auto from = bench_.log.size();
        auto& witness = bench_.station.witness();
        bench_.clock.run_until_done(bench_.io, witness.begin({"begin", bench_.in(1s)}));
        const auto capture = bench_.start_capture(outcome.samples, rate.hz / 5, rate);
        bench_.pass(5ms);
        bench_.type(typed);
        outcome.end = bench_.finish(*capture, 1s);
        outcome.console = bench_.log.since(from);
        outcome.witness =
            nlohmann::json::parse(bench_.clock.run_until_done(bench_.io, witness.end({"end", bench_.in(1s)})));
        return outcome;
    }

    TestBench& bench() { return bench_; }

private:
    TestBench bench_;
};

wire::Decoded decoded(const KeptSamples& samples) {
    wire::EdgeScanner scanner(1, 0);
    scanner.feed(samples.bytes);
    return wire::decode(std::move(scanner).finish(rate), Baud{115200}, wire::UartFormat{});
}

std::string wire_of(const Trial::Outcome& outcome) {
    return wire::bytes_of(decoded(outcome.samples).frames);
}

bool constant(const KeptSamples& samples, unsigned bit, unsigned level) {
    return std::ranges::all_of(samples.bytes, [bit, level](std::byte sample) {
        return (std::to_integer<unsigned>(sample) >> bit & 1U) == level;
    });
}

/// Samples at which the heartbeat changes off its grid of half milliseconds.
std::vector<std::size_t> heartbeat_jumps(const KeptSamples& samples) {
    std::vector<std::size_t> jumps;
    std::size_t last = 0;
    for (std::size_t k = 1; k < samples.bytes.size(); ++k) {
        if ((samples.bytes[k] & std::byte{8}) == (samples.bytes[k - 1] & std::byte{8})) continue;
        if (k - last != rate.hz / 2000) jumps.push_back(k);
        last = k;
    }
    return jumps;
}

TEST(SimFault, WithoutOneTheWireIsTheConsoleAndTheHeartbeatIsWhole) {
    Trial trial("analyzer-close:capture=9,at=1");
    const auto outcome = trial.capture();
    EXPECT_EQ(wire_of(outcome), outcome.console);
    EXPECT_TRUE(outcome.console.ends_with("~ # "));
    EXPECT_TRUE(heartbeat_jumps(outcome.samples).empty());
    EXPECT_TRUE(outcome.end.end_packet);
    EXPECT_EQ(outcome.witness["pacer"]["slips"], 0);
}

TEST(SimFault, AnalyzerCloseEndsTheCaptureShortAsIfItWereDone) {
    Trial trial("analyzer-close:capture=2,at=123456");
    EXPECT_EQ(trial.capture().end.samples, 400'000U);
    const auto struck = trial.capture();
    EXPECT_EQ(struck.end.samples, 123'456U);
    EXPECT_EQ(struck.samples.bytes.size(), 123'456U);
    EXPECT_TRUE(struck.end.end_packet);
}

TEST(SimFault, AnalyzerLoseBlockShowsAsOneJumpOfTheHeartbeatAndNothingElse) {
    Trial trial("analyzer-lose-block:capture=1,at=70250,samples=300");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.end.samples, 400'000U);
    EXPECT_TRUE(struck.end.end_packet);
    EXPECT_EQ(heartbeat_jumps(struck.samples).size(), 1U);
    EXPECT_NEAR(static_cast<double>(heartbeat_jumps(struck.samples).front()), 70'250, 1000);
    EXPECT_TRUE(heartbeat_jumps(trial.capture().samples).empty());
}

TEST(SimFault, ALostBlockAtTheVeryStartIsLostToo) {
    Trial trial("analyzer-lose-block:at=0,samples=300");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.end.samples, 400'000U);
    EXPECT_EQ(heartbeat_jumps(struck.samples).size(), 1U);
}

TEST(SimFault, AnalyzerNoEndGivesAllSamplesAndNoEndPacket) {
    Trial trial("analyzer-no-end:capture=1");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.end.samples, 400'000U);
    EXPECT_FALSE(struck.end.end_packet);
    EXPECT_EQ(struck.end.error, "finish the capture: all 400000 samples had come, the end packet had not");
    EXPECT_TRUE(trial.capture().end.end_packet);
}

TEST(SimFault, AnalyzerOffRateMakesTheElapsedTimeWrong) {
    Trial trial("analyzer-off-rate:capture=1,ppm=50000");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.end.samples, 400'000U);
    EXPECT_NEAR(to_seconds(struck.end.ended - struck.end.started), 0.002 + 0.2 / 1.05, 1e-5);
    EXPECT_NEAR(to_seconds(trial.capture().end.ended - struck.end.ended), 0.202, 1e-5);
}

TEST(SimFault, AnalyzerAbsentIsNotFound) {
    TestBench bench({.faults = {parse_fault("analyzer-absent")}});
    KeptSamples samples;
    EXPECT_THROW(bench.clock.run_until_done(bench.io, bench.station.analyzer().open({"open", bench.in(1s)})),
                 BenchError);
    EXPECT_THROW(bench.start_capture(samples, 1), BenchError);
}

TEST(SimFault, ChannelUnplugLeavesTheProbeInTheAir) {
    EXPECT_TRUE(constant(Trial("channel-unplug:channel=tx").capture().samples, 0, 1));
    EXPECT_TRUE(constant(Trial("channel-unplug:channel=rx").capture().samples, 1, 1));
    EXPECT_TRUE(constant(Trial("channel-unplug:channel=marker").capture().samples, 2, 0));
    EXPECT_TRUE(constant(Trial("channel-unplug:channel=heartbeat").capture().samples, 3, 0));
    Trial later("channel-unplug:channel=tx,capture=2");
    EXPECT_FALSE(constant(later.capture().samples, 0, 1));
    EXPECT_TRUE(constant(later.capture().samples, 0, 1));
}

TEST(SimFault, ConsoleLoseByteIsOnTheWireOnly) {
    Trial trial("console-lose-byte:capture=1,byte=50");
    const auto struck = trial.capture();
    auto wire = wire_of(struck);
    wire.erase(49, 1);
    EXPECT_EQ(struck.console, wire);
    const auto next = trial.capture();
    EXPECT_EQ(next.console, wire_of(next));
}

TEST(SimFault, ConsoleUnplugLosesTheLineAtItsByte) {
    Trial trial("console-unplug:capture=1,byte=50");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.console.size(), 49U);
    EXPECT_THROW(trial.bench().log.check(), BenchError);
    EXPECT_THROW(trial.bench().type("x"), BenchError);
    EXPECT_GT(wire_of(struck).size(), 300U);
}

TEST(SimFault, ConsoleMissingIsNotFound) {
    TestBench bench({.faults = {parse_fault("console-missing")}});
    EXPECT_THROW(bench.open_console(), BenchError);
}

TEST(SimFault, BoardHangStopsBeforeItsByteAndKeepsInterruptsOff) {
    Trial trial("board-hang:capture=1,byte=100");
    const auto struck = trial.capture();
    EXPECT_EQ(struck.console.size(), 99U);
    EXPECT_EQ(struck.samples.bytes.back() & std::byte{4}, std::byte{4});
    const auto silent = trial.bench().log.size();
    trial.bench().type("true\r");
    trial.bench().pass(1s);
    EXPECT_EQ(trial.bench().log.size(), silent);
    trial.bench().power_off();
    trial.bench().power_on();
    trial.bench().expect("~ # ", silent);
}

TEST(SimFault, BoardNeverPromptsBootsTheKernelOnly) {
    TestBench bench({.faults = {parse_fault("board-never-prompts")}});
    bench.open_console();
    bench.power_on();
    bench.pass(60s);
    EXPECT_NE(bench.log.bytes().find("Run /init"), std::string_view::npos);
    EXPECT_FALSE(bench.log.bytes().contains("~ # "));
}

TEST(SimFault, BoardPanicDiesBehindTheFirstRecord) {
    Trial trial("board-panic:capture=2");
    EXPECT_TRUE(trial.capture().console.ends_with("~ # "));
    const auto struck = trial.capture();
    EXPECT_TRUE(console::find_death(struck.console));
    EXPECT_TRUE(console::find_record(struck.console, "test ab "));
    EXPECT_FALSE(console::find_record(struck.console, "short ab "));
    EXPECT_FALSE(struck.console.ends_with("~ # "));
}

TEST(SimFault, BoardRebootBootsAgainInTheTrial) {
    Trial trial("board-reboot:capture=1");
    const auto from = trial.bench().log.size();
    trial.capture();
    trial.bench().expect("Booting Linux", from);
    trial.bench().expect("~ # ", from);
    EXPECT_EQ(trial.bench().command("true").exit_code, 0);
    EXPECT_NE(trial.bench().file("/proc/printk_test").output.find("nonce: 00000000"), std::string::npos);
}

TEST(SimFault, PacerStallIsARealGapAndTheWitnessSaysSo) {
    Trial trial("pacer-stall:capture=1,byte=100,ms=3");
    const auto struck = trial.capture();
    const auto frames = decoded(struck.samples).frames;
    EXPECT_NEAR(to_seconds(frames[99].start - frames[98].end), 3e-3, 1e-5);
    EXPECT_NEAR(to_seconds(frames[100].start - frames[99].end), 0, 1e-5);
    EXPECT_EQ(struck.witness["pacer"]["slips"], 1);
    EXPECT_EQ(struck.witness["pacer"]["slip_max_ns"], 3'000'000);
    EXPECT_NEAR(struck.witness["pacer"]["slip_at"][0]["since_capture_ns"].get<double>() * 1e-9,
                to_seconds(frames[98].end.time_since_epoch()), 1e-5);
    EXPECT_EQ(trial.capture().witness["pacer"]["slips"], 0);
}

TEST(SimFault, GuestHeldIsReportedForItsCapture) {
    Trial trial("guest-held:capture=2,byte=100,ms=7");
    EXPECT_EQ(trial.capture().witness["guest"]["hold_max_ns"], 0);
    const auto struck = trial.capture();
    EXPECT_EQ(struck.witness["guest"]["hold_max_ns"], 7'000'000);
    EXPECT_NEAR(struck.witness["guest"]["hold_at"][0]["since_capture_ns"].get<double>() * 1e-9,
                to_seconds(decoded(struck.samples).frames[99].start.time_since_epoch()), 1e-5);
}

TEST(SimFault, PinLateIsReportedForItsCapture) {
    Trial trial("pin-late:capture=2");
    EXPECT_EQ(trial.capture().witness["marker"]["late_events"], 0);
    const auto struck = trial.capture();
    EXPECT_EQ(struck.witness["marker"]["late_events"], struck.witness["marker"]["edges"]);
}

TEST(SimFault, ProbeGlitchIsLowForItsSamplesAndTheConsoleKnowsNothing) {
    Trial trial("probe-glitch:capture=1,at=5,samples=2");
    const auto struck = trial.capture();
    const auto tx = [&](std::size_t sample) {
        return (struck.samples.bytes.at(sample) & std::byte{1}) != std::byte{0};
    };
    EXPECT_TRUE(tx(4));
    EXPECT_FALSE(tx(5));
    EXPECT_FALSE(tx(6));
    EXPECT_TRUE(tx(7));
    EXPECT_EQ(struck.console, wire_of(struck));
}

TEST(SimFault, WireGarbageIsAFramingErrorThatTheConsoleNeverSees) {
    Trial trial("wire-garbage:capture=1,byte=100");
    const auto struck = trial.capture();
    const auto frames = decoded(struck.samples).frames;
    const auto broken = std::ranges::count_if(frames, [](const wire::Frame& frame) { return frame.errors.any(); });
    EXPECT_EQ(broken, 1);
    EXPECT_TRUE(frames[99].errors.any());
    EXPECT_EQ(struck.console, wire_of(struck));
    EXPECT_EQ(struck.console.find('\0'), std::string::npos);
}

TEST(SimFault, PowerFailsToSwitch) {
    TestBench bench({.faults = {parse_fault("power-fails")}});
    EXPECT_THROW(bench.power_on(), BenchError);
    EXPECT_THROW(bench.power_off(), BenchError);
}

TEST(SimFault, AFaultCanBeSetAndLiftedWhileTheSimRuns) {
    TestBench bench;
    bench.station.inject(parse_fault("power-fails"));
    EXPECT_THROW(bench.power_on(), BenchError);
    bench.station.clear_faults();
    bench.boot();
}

}  // namespace
}  // namespace rig::sim
