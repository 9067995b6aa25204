// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/engine/engine.hpp"

#include "rig/engine/step.hpp"
#include "rig/error.hpp"

#include <array>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

namespace rig::engine {

using namespace std::chrono_literals;
using device::awaitable;

namespace {

/// Sections shorter than this are dropped on the target: everything comes back over the wire that is measured. Half a
/// tick at HZ=1000 loses none, no record is as short as six frames, and on a slow wire each character that is echoed
/// can be a section of one frame.
std::int64_t filter_us(Baud baud) {
    constexpr std::int64_t half_a_tick_us = 500;
    const std::int64_t frame_us = 10'000'000 / std::int64_t{baud.value};
    return std::max(frame_us, std::min(half_a_tick_us, 6 * frame_us));
}

constexpr auto instrument_time = 10s;           ///< to open or switch an instrument
constexpr auto command_time = 10s;              ///< for one command on the target
constexpr std::int64_t longest_file = 1 << 16;  ///< bytes of a target's file that its deadline leaves room for
constexpr auto leave_time = 2s;                 ///< for each thing done while leaving

struct FeatureFiles {
    plan::TargetFeature feature;
    std::string_view file;
};
constexpr std::array feature_files{
    FeatureFiles{plan::TargetFeature::printk_test, "/proc/printk_test"},
    FeatureFiles{plan::TargetFeature::irq_latency, "/proc/irq_latency"},
    FeatureFiles{plan::TargetFeature::marker, "/proc/irq_marker"},
};

/// What every Linux says of itself.
constexpr std::array<std::string_view, 3> general_files{"/proc/version", "/proc/cmdline", "/proc/uptime"};

std::string file_word(std::string_view path) {
    std::string word(path.substr(path.rfind('/') + 1));
    return word + ".txt";
}

}  // namespace

Engine::Engine(Instruments instruments, const lab::Station& station, const plan::Plan& plan,
               evidence::Recorder& recorder, Observer& observer)
    : instruments_(instruments),
      station_(station),
      plan_(plan),
      recorder_(recorder),
      observer_(observer),
      shell_(instruments.clock, instruments.console, log_, station.console.baud, station.boot.prompt) {}

Engine::~Engine() = default;

awaitable<void> Engine::pump() {
    std::array<std::byte, 4096> buffer{};
    try {
        while (true) {
            const auto count = co_await instruments_.console.read(buffer);
            if (count == 0) break;
            const auto bytes = std::span<const std::byte>(buffer).first(count);
            const auto now = instruments_.clock.now();
            recorder_.console(bytes, now);
            log_.append(bytes, now);
        }
    } catch (...) {
        log_.close(std::current_exception());
    }
    pumping_ = false;
    pump_done_.notify();
}

awaitable<void> Engine::bring_up() {
    co_await power_cycle();
    co_await find_analyzer();
    co_await boot();
    co_await set_loglevel();
    co_await run_setup();
    co_await find_features();
    refuse_impossible_cases();
    co_await record_target("target/before");
}

awaitable<void> Engine::power_cycle() {
    observer_.step("opening the console and switching the board on");
    Step step(recorder_, instruments_.clock, "power on", instrument_time);
    // The console is opened first, so that the boot is in its log from the first byte.
    if (instruments_.power != nullptr) co_await instruments_.power->off(step.deadline());
    co_await instruments_.console.open(step.deadline());
    pumping_ = true;
    boost::asio::co_spawn(co_await boost::asio::this_coro::executor, pump(), boost::asio::detached);
    if (instruments_.power != nullptr) co_await instruments_.power->on(step.deadline());
    step.done();
}

awaitable<void> Engine::find_analyzer() {
    observer_.step("looking for the analyzer");
    Step step(recorder_, instruments_.clock, "analyzer open", instrument_time);
    const auto identity = co_await instruments_.analyzer.open(step.deadline());
    recorder_.event(instruments_.clock.now(), "analyzer",
                    {{"driver", identity.driver},
                     {"vendor", identity.vendor},
                     {"model", identity.model},
                     {"version", identity.version},
                     {"library", identity.library},
                     {"channels", identity.channels}});
    step.done();
}

awaitable<void> Engine::boot() {
    observer_.step("waiting for the board's prompt");
    Step step(recorder_, instruments_.clock, "boot", station_.boot.within);
    co_await shell_.reach_prompt(step.deadline());
    // A line editor wraps what is typed at the width it believes in, which would break the check of the echo.
    co_await shell_.run_repeatable("stty cols 1000", step.deadline());
    step.done();
}

awaitable<void> Engine::set_loglevel() {
    Step step(recorder_, instruments_.clock, "set console loglevel", command_time);
    const auto set = co_await shell_.run_repeatable(
        fmt::format("echo {} >/proc/sys/kernel/printk", plan_.console_loglevel), step.deadline());
    const auto levels = co_await shell_.read_file("/proc/sys/kernel/printk", step.deadline());
    const auto wanted = std::to_string(plan_.console_loglevel);
    if (set.exit_code != 0 || !levels || levels->substr(0, levels->find_first_of("\t ")) != wanted)
        throw BenchError(fmt::format("the console loglevel was set to {} and reads back as '{}'", wanted,
                                     levels ? console::show_tail(*levels) : "nothing"),
                         "root is needed on the target to set /proc/sys/kernel/printk");
    step.done();
}

awaitable<std::optional<std::string>> Engine::fetch(std::string path, std::string store_as) {
    const auto on_wire = std::chrono::nanoseconds{longest_file * 10'000'000'000 / station_.console.baud.value};
    Step step(recorder_, instruments_.clock, "read " + path, command_time + on_wire);
    auto text = co_await shell_.read_file(path, step.deadline());
    if (text) recorder_.store(store_as, *text);
    step.done();
    co_return text;
}

awaitable<void> Engine::record_target(std::string folder) {
    observer_.step("reading what the target says of itself");
    for (const auto path : general_files) {
        auto store_as = folder + "/" + file_word(path);
        co_await fetch(std::string(path), std::move(store_as));
    }
    for (const auto& [feature, path] : feature_files) {
        if (!features_.contains(feature)) continue;
        auto store_as = folder + "/" + file_word(path);
        co_await fetch(std::string(path), std::move(store_as));
    }
    if (instruments_.witness == nullptr) co_return;
    Step step(recorder_, instruments_.clock, "bench describe", instrument_time);
    const auto said = co_await instruments_.witness->describe(step.deadline());
    recorder_.store("bench/" + folder.substr(folder.rfind('/') + 1) + ".json", said);
    step.done();
}

awaitable<void> Engine::run_setup() {
    for (const auto& command : plan_.setup) {
        Step step(recorder_, instruments_.clock, "setup: " + command, command_time);
        const auto reply = co_await shell_.run(command, step.deadline());
        if (reply.exit_code != 0)
            throw PlanError(fmt::format("setup '{}' ended with exit code {} on the target: {}", command,
                                        reply.exit_code, console::show_tail(reply.output)),
                            "try it by hand on the board");
        step.done();
    }
}

awaitable<bool> Engine::probe(plan::TargetFeature feature) {
    const auto& entry = *std::find_if(feature_files.begin(), feature_files.end(),
                                      [&](const auto& files) { return files.feature == feature; });
    Step step(recorder_, instruments_.clock, fmt::format("look for {}", name_of(feature)), command_time);
    const auto text = co_await shell_.read_file(std::string(entry.file), step.deadline());
    bool there = text && !text->empty();
    std::string why = there ? "" : fmt::format("{} cannot be read, or is empty", entry.file);
    if (there && feature == plan::TargetFeature::irq_latency) {
        const auto set = co_await shell_.run_repeatable(
            fmt::format("echo filter {} >{}", filter_us(station_.console.baud), entry.file), step.deadline());
        if (set.exit_code != 0) {
            there = false;
            why = fmt::format("{} takes no filter: {}", entry.file, console::show_tail(set.output));
        }
    }
    recorder_.event(instruments_.clock.now(), "feature",
                    {{"feature", name_of(feature)}, {"there", there}, {"why", why}});
    step.done();
    co_return there;
}

awaitable<void> Engine::find_features() {
    observer_.step("looking for the patched kernel's files");
    for (const auto feature : plan_.wants) {
        const bool there = co_await probe(feature);
        if (there) features_.insert(feature);
    }
}

void Engine::refuse_impossible_cases() const {
    for (const auto& one : plan_.cases) {
        if (features_.contains(plan::TargetFeature::printk_test)) return;
        if (std::holds_alternative<plan::KmsgStimulus>(one.stimulus)) continue;
        throw PlanError(
            fmt::format("case '{}' needs the target's printk_test, to print its record and find it again", one.name),
            plan_.wants_feature(plan::TargetFeature::printk_test)
                ? "build the kernel with firmware-target/patches, or run testplans/stock.yaml, which any kernel can"
                : "add printk_test to wants: { target: […] }");
    }
}

void Engine::interrupt(const std::string& why) {
    log_.close(std::make_exception_ptr(BenchError(why, "run it again; what was recorded so far is in the bundle")));
}

awaitable<void> Engine::shut_down() {
    if (pumping_) co_await leave("console close", &Engine::close_console);
    if (instruments_.power != nullptr) co_await leave("power off", &Engine::power_off);
}

awaitable<void> Engine::close_console() {
    const auto until = instruments_.clock.now() + leave_time;
    instruments_.console.close();
    bool in_time = true;
    while (pumping_ && in_time) in_time = co_await pump_done_.wait(instruments_.clock, until);
}

awaitable<void> Engine::power_off() {
    const device::Deadline deadline{"power off", instruments_.clock.now() + leave_time};
    co_await instruments_.power->off(deadline);
}

awaitable<void> Engine::leave(std::string what, awaitable<void> (Engine::*action)()) {
    nlohmann::ordered_json outcome{{"step", what}, {"outcome", "ok"}};
    try {
        co_await (this->*action)();
    } catch (const Error& error) {
        // The evidence is complete by now; that leaving failed is noted in it and changes no result.
        outcome = {{"step", what}, {"outcome", "failed"}, {"failure", evidence::to_json(evidence::Failure::of(error))}};
    }
    try {
        recorder_.event(instruments_.clock.now(), "leave", outcome);
    } catch (const Error&) {
        co_return;  // the disk refuses it; the next write tells
    }
}

}  // namespace rig::engine
