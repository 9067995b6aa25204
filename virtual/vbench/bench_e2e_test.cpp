// SPDX-License-Identifier: GPL-3.0-or-later
// rig-vbench as a process, with a fake guest in QEMU's place: its sockets, its faults, and how it ends.

#include "bench_under_test.hpp"

#include <csignal>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vbench {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr char tx = 1;
constexpr char rx = 2;
constexpr char marker = 4;
constexpr char heartbeat = 8;

constexpr std::uint64_t rate = 1'000'000;
constexpr double samples_per_bit = static_cast<double>(rate) / 115200;

std::vector<std::string> with_fake_guest(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"--guest", fmt::format("exec {}", RIG_FAKE_GUEST)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// Powers the board, anew if it was on, so that a console client that is connected by now sees it boot; gives the
/// guest's process number.
pid_t reboot(BenchUnderTest& bench, TestClient& console) {
    bench.control("power reset");
    console.read_until("pid ");
    return std::stoi(console.read_until("\r\n"));
}

std::string printed(std::size_t length) {
    std::string text;
    while (text.size() + 2 < length) text.push_back(static_cast<char>('a' + text.size() % 26));
    return text + "\r\n";
}

/// Starts a capture as libsigrok does.
TestClient start_capture(const BenchUnderTest& bench) {
    TestClient analyzer = bench.analyzer();
    analyzer.send("version\n");
    EXPECT_EQ(analyzer.read_until("\n"), "BeagleLogic 1.0\n");
    analyzer.send(fmt::format("samplerate {}\n", rate));
    EXPECT_EQ(analyzer.read_until("\n"), "ok\n");
    analyzer.send("get\n");
    return analyzer;
}

std::string decode(const std::string& samples, char mask) {
    std::string text;
    for (std::size_t k = 1; k < samples.size(); ++k) {
        const bool starts = (samples[k - 1] & mask) != 0 && (samples[k] & mask) == 0;
        if (!starts) continue;
        unsigned byte = 0;
        for (int bit = 0; bit < 8; ++bit) {
            const std::size_t middle = k + static_cast<std::size_t>((bit + 1.5) * samples_per_bit);
            if (middle < samples.size() && (samples[middle] & mask) != 0) byte |= 1U << bit;
        }
        text.push_back(static_cast<char>(byte));
        k += static_cast<std::size_t>(9.2 * samples_per_bit);
    }
    return text;
}

std::vector<std::size_t> edges(const std::string& samples, char mask) {
    std::vector<std::size_t> places;
    for (std::size_t k = 1; k < samples.size(); ++k) {
        if (((samples[k - 1] ^ samples[k]) & mask) != 0) places.push_back(k);
    }
    return places;
}

bool heartbeat_is_whole(const std::string& samples) {
    const auto places = edges(samples, heartbeat);
    for (std::size_t n = 0; n < places.size(); ++n) {
        if (places[n] != (n + 1) * rate / 2000) return false;
    }
    return true;
}

/// A capture in which the board prints `length` bytes; `text` is what came over the console.
std::string capture_of_print(BenchUnderTest& bench, TestClient& console, std::size_t length, std::string& text) {
    TestClient analyzer = start_capture(bench);
    std::string samples = analyzer.read(1000);  // A sample has come, so the capture has begun.
    console.send(fmt::format("print {}\n", length));
    text = console.read_until("\r\n");
    // The stream lags the console by a constant, so this much more surely holds the line's end.
    const auto told = bench.control("stats");
    const std::uint64_t sent = told.at("analyzer").at("samples");
    samples += analyzer.read(static_cast<std::size_t>(sent + rate / 5) - samples.size());
    return samples;
}

TEST(Bench, SaysWhereItsSocketsAreAndBeginsWithThePowerOff) {
    BenchUnderTest bench({"--guest", "exec cat"});
    ASSERT_TRUE(bench.ready().is_object());
    EXPECT_EQ(bench.ready().at("ready"), true);
    EXPECT_GT(bench.ready().at("analyzer_port"), 0);
    EXPECT_EQ(bench.control("power state").at("power"), "off");
    EXPECT_TRUE(bench.console().connected());
}

TEST(Bench, TheConsoleCarriesWhatTheBoardPrintsAndWhatIsTyped) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    reboot(bench, console);
    console.send("print 40\n");
    EXPECT_EQ(console.read_until("\r\n"), printed(40));
}

TEST(Bench, ASecondConsoleClientIsClosedAtOnce) {
    BenchUnderTest bench(with_fake_guest());
    TestClient first = bench.console();
    reboot(bench, first);
    TestClient second = bench.console();
    EXPECT_TRUE(second.closed_by_peer());
    first.send("print 10\n");
    EXPECT_EQ(first.read_until("\r\n"), printed(10));
}

TEST(Bench, TheBytesOnTheWireAreTheBytesOfTheConsole) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    reboot(bench, console);
    std::string text;
    const std::string samples = capture_of_print(bench, console, 300, text);
    EXPECT_EQ(text, printed(300));
    EXPECT_EQ(decode(samples, tx), text);
    EXPECT_EQ(decode(samples, rx), "print 300\n");
    EXPECT_TRUE(heartbeat_is_whole(samples));
}

TEST(Bench, TheMarkerIsHighWhileTheGuestSaysSo) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    reboot(bench, console);
    bench.control("window begin");
    std::string text;
    const std::string samples = capture_of_print(bench, console, 300, text);
    const auto places = edges(samples, marker);
    ASSERT_EQ(places.size(), 2U);
    const auto frames = static_cast<double>(places[1] - places[0]) / (10 * samples_per_bit);
    // The guest is done when its last byte has found room in the socket, not when it has left the wire.
    EXPECT_GT(frames, 280);
    const auto measured = bench.control("window end");
    EXPECT_EQ(measured.at("marker").at("edges"), 2);
    EXPECT_EQ(measured.at("marker").at("late_events"), 0);
    EXPECT_EQ(measured.at("pacer").at("bytes"), 300);
    EXPECT_EQ(measured.at("analyzer").at("captures"), 1);
}

TEST(Bench, ABoardThatEndsByItselfIsOffAndTheConsoleStays) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    const ProcessWatch guest(reboot(bench, console));
    console.send("exit 7\n");
    EXPECT_TRUE(guest.ends());
    while (bench.control("power state").at("power") != "off") {
    }
    bench.control("power on");
    EXPECT_NE(console.read_until("\r\n").find("pid "), std::string::npos);
}

TEST(Bench, MisspeltCommandsAreAnsweredWithTheKnownOnes) {
    BenchUnderTest bench({"--guest", "exec cat"});
    EXPECT_EQ(bench.control("start").at("error"),
              "there is no command 'start'; known are power, fault, window, stats, quit");
    EXPECT_EQ(bench.control("power up").at("error"), "power knows on, off, reset and state, not 'up'");
    EXPECT_EQ(bench.control("window end").at("error"), "no window is open; send 'window begin' first");
}

// --- faults ---

TEST(BenchFault, AnalyzerCloseEndsTheStreamAfterThatManySamples) {
    BenchUnderTest bench(with_fake_guest({"--fault", "analyzer-close:capture=2,at=12345"}));
    TestClient first = start_capture(bench);
    EXPECT_EQ(first.read(20'000).size(), 20'000U);
    TestClient second = start_capture(bench);
    EXPECT_EQ(second.read(20'000).size(), 12'345U);
    EXPECT_TRUE(second.closed_by_peer());
}

TEST(BenchFault, AnalyzerLoseBlockShowsInTheHeartbeat) {
    BenchUnderTest bench(with_fake_guest({"--fault", "analyzer-lose-block:at=10000,samples=333"}));
    TestClient analyzer = start_capture(bench);
    const std::string samples = analyzer.read(20'000);
    EXPECT_TRUE(heartbeat_is_whole(samples.substr(0, 10'000)));
    EXPECT_FALSE(heartbeat_is_whole(samples));
    EXPECT_EQ(edges(samples, heartbeat)[20], 10'000U + 500 - 333);
}

TEST(BenchFault, ConsoleLoseByteIsOnTheWireButNotOnTheConsole) {
    BenchUnderTest bench(with_fake_guest({"--fault", "console-lose-byte:byte=5"}));
    TestClient console = bench.console();
    reboot(bench, console);
    std::string text;
    const std::string samples = capture_of_print(bench, console, 30, text);
    EXPECT_EQ(decode(samples, tx), printed(30));
    EXPECT_EQ(text, printed(30).erase(4, 1));
}

TEST(BenchFault, ConsoleGarbageIsOnTheConsoleButNotOnTheWire) {
    BenchUnderTest bench(with_fake_guest({"--fault", "console-garbage:byte=5"}));
    TestClient console = bench.console();
    reboot(bench, console);
    std::string text;
    const std::string samples = capture_of_print(bench, console, 30, text);
    EXPECT_EQ(decode(samples, tx), printed(30));
    ASSERT_EQ(text.size(), printed(30).size());
    EXPECT_NE(text[4], printed(30)[4]);
    text[4] = printed(30)[4];
    EXPECT_EQ(text, printed(30));
}

TEST(BenchFault, BoardResetStartsTheGuestAnew) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    const pid_t first = reboot(bench, console);
    bench.control("fault board-reset");
    console.read_until("pid ");
    EXPECT_NE(std::stoi(console.read_until("\r\n")), first);
    EXPECT_EQ(bench.control("power state").at("power"), "on");
}

TEST(BenchFault, BoardHangStopsThePrinting) {
    BenchUnderTest bench(with_fake_guest({"--fault", "board-hang:capture=1,byte=50"}));
    TestClient console = bench.console();
    reboot(bench, console);
    TestClient analyzer = start_capture(bench);
    analyzer.read(1000);
    bench.control("window begin");
    console.send("print 2000\n");
    analyzer.read(rate / 2);
    const std::uint64_t bytes = bench.control("window end").at("pacer").at("bytes");
    EXPECT_GE(bytes, 50U);
    EXPECT_LT(bytes, 2000U);
    EXPECT_EQ(bench.control("power state").at("power"), "on");
    EXPECT_GT(reboot(bench, console), 0);
}

TEST(BenchFault, PacerStallIsReportedAsASlip) {
    BenchUnderTest bench(with_fake_guest({"--fault", "pacer-stall:capture=1,byte=20,ms=30"}));
    TestClient console = bench.console();
    reboot(bench, console);
    bench.control("window begin");
    std::string text;
    const std::string samples = capture_of_print(bench, console, 60, text);
    EXPECT_EQ(decode(samples, tx), printed(60));
    const auto measured = bench.control("window end").at("pacer");
    EXPECT_GE(measured.at("slip_max_ns"), 29'000'000);
    EXPECT_GE(measured.at("slips"), 1);
}

TEST(BenchFault, ChannelUnplugLeavesTheProbeInTheAir) {
    BenchUnderTest bench(
        with_fake_guest({"--fault", "channel-unplug:channel=tx", "--fault", "channel-unplug:channel=marker"}));
    TestClient console = bench.console();
    reboot(bench, console);
    std::string text;
    const std::string samples = capture_of_print(bench, console, 60, text);
    EXPECT_EQ(text, printed(60));
    EXPECT_TRUE(edges(samples, tx).empty());
    EXPECT_EQ(samples.front() & tx, tx);
    EXPECT_TRUE(edges(samples, marker).empty());
    EXPECT_EQ(samples.front() & marker, 0);
    EXPECT_FALSE(edges(samples, rx).empty());
}

TEST(BenchFault, ConsoleUnplugClosesTheClientsConnection) {
    BenchUnderTest bench(with_fake_guest());
    TestClient console = bench.console();
    reboot(bench, console);
    bench.control("fault console-unplug");
    EXPECT_TRUE(console.closed_by_peer());
    EXPECT_TRUE(bench.console().connected());
}

TEST(BenchFault, AnalyzerAbsentRefusesUntilTheFaultIsCleared) {
    BenchUnderTest bench(with_fake_guest({"--fault", "analyzer-absent"}));
    EXPECT_FALSE(bench.analyzer().connected());
    bench.control("fault clear");
    EXPECT_TRUE(bench.analyzer().connected());
    bench.control("fault analyzer-absent");
    EXPECT_FALSE(bench.analyzer().connected());
}

// --- endings: nothing is left behind ---

class BenchEnding : public testing::Test {
protected:
    BenchUnderTest bench_{with_fake_guest({"--until-stdin-closes"})};
    TestClient console_ = bench_.console();
    ProcessWatch guest_{reboot(bench_, console_)};
    fs::path folder_ = bench_.folder();
};

TEST_F(BenchEnding, SigtermTakesTheGuestAndTheSocketsAlong) {
    bench_.signal(SIGTERM);
    EXPECT_EQ(bench_.exit_code(), 0);
    EXPECT_TRUE(guest_.ends());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(BenchEnding, SigintTakesTheGuestAndTheSocketsAlong) {
    bench_.signal(SIGINT);
    EXPECT_EQ(bench_.exit_code(), 0);
    EXPECT_TRUE(guest_.ends());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(BenchEnding, SigkillTakesTheGuestAlong) {
    bench_.signal(SIGKILL);
    EXPECT_EQ(bench_.exit_code(), -SIGKILL);
    EXPECT_TRUE(guest_.ends());
    fs::remove_all(folder_);
}

TEST_F(BenchEnding, SigkillTakesAHungGuestAlong) {
    bench_.control("fault board-hang");
    bench_.signal(SIGKILL);
    bench_.exit_code();
    EXPECT_TRUE(guest_.ends());
    fs::remove_all(folder_);
}

TEST_F(BenchEnding, TheEndOfStandardInputTakesTheGuestAndTheSocketsAlong) {
    bench_.close_stdin();
    EXPECT_EQ(bench_.exit_code(), 0);
    EXPECT_TRUE(guest_.ends());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(BenchEnding, QuitIsAnsweredAndTakesTheGuestAndTheSocketsAlong) {
    EXPECT_EQ(bench_.control("quit").at("ok"), true);
    EXPECT_EQ(bench_.exit_code(), 0);
    EXPECT_TRUE(guest_.ends());
    EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(BenchEnding, AFolderThatWasThereBeforeStays) {
    const fs::path own = folder_.string() + "-own";
    fs::create_directory(own);
    {
        BenchUnderTest bench({"--guest", "exec cat", "--dir", own});
        EXPECT_TRUE(fs::is_socket(own / "console"));
        bench.signal(SIGTERM);
        EXPECT_EQ(bench.exit_code(), 0);
    }
    EXPECT_TRUE(fs::is_empty(own));
    fs::remove(own);
}

TEST_F(BenchEnding, SocketsLeftByAKilledBenchAreReplaced) {
    bench_.signal(SIGKILL);
    bench_.exit_code();
    ASSERT_TRUE(fs::exists(folder_));
    BenchUnderTest next({"--guest", "exec cat", "--dir", folder_});
    ASSERT_TRUE(next.ready().is_object());
    EXPECT_EQ(next.control("power state").at("power"), "off");
    next.signal(SIGTERM);
    next.exit_code();
    fs::remove_all(folder_);
}

TEST_F(BenchEnding, AFolderInUseIsRefusedAndLeftAlone) {
    BenchUnderTest second({"--guest", "exec cat", "--dir", folder_});
    EXPECT_EQ(second.exit_code(), 3);
    EXPECT_EQ(second.errors(),
              fmt::format("rig-vbench: another rig-vbench uses {}; give another --dir\n", folder_.string()));
    EXPECT_EQ(bench_.control("power state").at("power"), "on");
}

TEST(BenchStart, ABoardCanBeOnFromTheStart) {
    BenchUnderTest bench(with_fake_guest({"--power", "on"}));
    EXPECT_EQ(bench.control("power state").at("power"), "on");
}

TEST(BenchStart, AFailedStartLeavesNothingBehind) {
    BenchUnderTest first({"--guest", "exec cat"});
    const std::string port = fmt::format("{}", first.ready().at("analyzer_port").get<int>());
    const fs::path folder = first.folder().string() + "-second";
    BenchUnderTest second({"--guest", "exec cat", "--analyzer-port", port, "--dir", folder});
    EXPECT_EQ(second.exit_code(), 3);
    EXPECT_NE(second.errors().find("try --analyzer-port 0"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder));
}

TEST(BenchStart, AFirmwareThatIsNotBuiltIsBenchTrouble) {
    BenchUnderTest bench({"--firmware", "no-such-board"});
    EXPECT_EQ(bench.exit_code(), 3);
    EXPECT_NE(bench.errors().find("run firmware-target/build no-such-board"), std::string::npos);
}

TEST(BenchStart, AWrongCommandLineIsAUsageError) {
    BenchUnderTest bench({"--guest", "exec cat", "--fault", "gremlins"});
    EXPECT_EQ(bench.exit_code(), 4);
    EXPECT_NE(bench.errors().find("there is no fault 'gremlins'"), std::string::npos);
}

}  // namespace
}  // namespace vbench
