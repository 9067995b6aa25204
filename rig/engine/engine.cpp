// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/engine/engine.hpp"

#include "rig/engine/step.hpp"
#include "rig/error.hpp"

#include <algorithm>
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

constexpr auto instrument_time = 10s;           ///< to open or switch an instrument
constexpr auto command_time = 10s;              ///< for one command on the target
constexpr std::int64_t longest_file = 1 << 16;  ///< bytes of a target's file that its deadline leaves room for
constexpr auto leave_time = 2s;                 ///< for each thing done while leaving

constexpr std::string_view root_hint =
    "log in as root, or say boot: { login: { …, root by: sudo } } in the lab file; without root testplans/wire.yaml "
    "still measures the wire";

/// In single quotes, as one word of a shell.
std::string as_one_word(std::string_view text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

/// The words of a file of one line, as an argument of echo.
std::string one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\t', ' ');
    return text;
}

}  // namespace

Engine::Engine(Instruments instruments, const lab::Station& station, const plan::Plan& plan,
               evidence::Recorder& recorder, Observer& observer)
    : instruments_(instruments),
      station_(station),
      plan_(plan),
      recorder_(recorder),
      observer_(observer),
      shell_(instruments.clock, instruments.console, log_, station.console.baud, station.boot) {}

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
    co_await record_target();
    co_await record_bench();
    if (prints_records()) co_await set_loglevel();
    co_await run_setup();
    co_await load_module();
    co_await find_accounts();
    refuse_impossible_cases();
    co_await refuse_unwritable_kmsg();
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
    const auto board = instruments_.power != nullptr ? TargetShell::Board::boots : TargetShell::Board::is_up;
    co_await shell_.reach_prompt(board, step.deadline());
    if (station_.boot.login && station_.boot.login->root == lab::LoginSpec::Root::sudo)
        co_await shell_.become_root(step.deadline());
    at_prompt_ = true;
    // A line editor wraps what is typed at the width it believes in, which would break the check of the echo.
    co_await shell_.run_repeatable("stty cols 1000", step.deadline());
    step.done();
}

/// Whether a case makes the kernel print; what a shell prints on its terminal is no record, and has no level.
bool Engine::prints_records() const {
    return std::ranges::any_of(
        plan_.cases, [](const auto& one) { return !std::holds_alternative<plan::TtyStimulus>(one.stimulus); });
}

awaitable<void> Engine::set_loglevel() {
    Step step(recorder_, instruments_.clock, "set console loglevel", command_time);
    const auto before = co_await shell_.read_output("cat /proc/sys/kernel/printk", step.deadline());
    loglevels_ = before.value_or("");
    const auto set = co_await shell_.run_repeatable(
        fmt::format("echo {} >/proc/sys/kernel/printk", plan_.console_loglevel), step.deadline());
    const auto levels = co_await shell_.read_output("cat /proc/sys/kernel/printk", step.deadline());
    const auto wanted = std::to_string(plan_.console_loglevel);
    if (!levels || levels->substr(0, levels->find_first_of("\t ")) != wanted)
        throw BenchError(fmt::format("the console loglevel was to be {} and is '{}'{}", wanted,
                                     levels ? console::show_tail(*levels) : "nothing",
                                     set.exit_code != 0 ? ": " + console::show_tail(set.output) : ""),
                         std::string(root_hint));
    step.done();
}

awaitable<bool> Engine::fetch(TargetOutput output, std::string store_as) {
    const auto on_wire = std::chrono::nanoseconds{longest_file * 10'000'000'000 / station_.console.baud.value};
    Step step(recorder_, instruments_.clock, "read: " + output.command, command_time + on_wire);
    const auto text = co_await shell_.read_output(output.command, step.deadline());
    if (text && !text->empty()) recorder_.store(store_as, *text);
    step.done();
    co_return text && !text->empty();
}

awaitable<void> Engine::record_target() {
    observer_.step("reading what the target says of itself");
    for (const auto& output : general_outputs()) {
        auto store_as = fmt::format("target/before/{}.txt", output.name);
        co_await fetch(output, std::move(store_as));
    }
}

awaitable<void> Engine::record_bench() {
    if (instruments_.witness == nullptr) co_return;
    Step step(recorder_, instruments_.clock, "bench describe", instrument_time);
    const auto said = co_await instruments_.witness->describe(step.deadline());
    recorder_.store("bench/before.json", said);
    step.done();
}

awaitable<void> Engine::run_setup() {
    for (const auto& command : plan_.setup) {
        Step step(recorder_, instruments_.clock, "setup: " + command, command_time);
        // What is no whole command is then an error of eval, and does not swallow what rig types behind it.
        const auto reply = co_await shell_.run("eval " + as_one_word(command), step.deadline());
        if (reply.exit_code != 0)
            throw PlanError(fmt::format("setup '{}' ended with exit code {} on the target: {}", command,
                                        reply.exit_code, console::show_tail(reply.output)),
                            "try it by hand on the board");
        step.done();
    }
}

awaitable<void> Engine::load_module() {
    if (station_.board.module.empty()) co_return;
    observer_.step("loading the module");
    Step step(recorder_, instruments_.clock, "load module", command_time);
    const auto there = co_await shell_.run_repeatable("test -e /proc/irq_latency", step.deadline());
    if (there.exit_code != 0) {
        const auto loaded = co_await shell_.run("insmod " + station_.board.module, step.deadline());
        if (loaded.exit_code != 0)
            throw PlanError(fmt::format("the module '{}' does not load on the target: {}", station_.board.module,
                                        console::show_tail(loaded.output)),
                            "build it against this very kernel: firmware-target/README.md says how");
        module_loaded_ = true;
    }
    step.done();
    // A module cannot hook sync(2): in this shell the word does what it does on a patched kernel.
    if (module_loaded_) co_await shell_.run_repeatable("sync() { echo sync >/proc/printk_test; }", step.deadline());
}

/// Sets an account up and looks whether it speaks; why it is not there, or nothing.
awaitable<std::string> Engine::probe(TargetAccount account) {
    Step step(recorder_, instruments_.clock, fmt::format("set up {}", name_of(account.feature)), command_time);
    std::string why;
    if (!account.set_up.empty()) {
        const auto set = co_await shell_.run_repeatable(account.set_up, step.deadline());
        if (set.exit_code != 0)
            why = fmt::format("its set-up ended with exit code {}: {}", set.exit_code, console::show_tail(set.output));
    }
    step.done();
    if (!why.empty()) co_return why;
    if (account.settle > 0ms) co_await device::pause(instruments_.clock, account.settle);
    auto store_as = fmt::format("target/before/{}.txt", account.look.name);
    const bool speaks = co_await fetch(account.look, std::move(store_as));
    co_return speaks ? std::string() : fmt::format("'{}' prints nothing", account.look.command);
}

awaitable<void> Engine::find_accounts() {
    observer_.step("looking for the target's accounts");
    for (const auto& account : target_accounts(station_.console.baud)) {
        if (!plan_.wants_feature(account.feature)) continue;
        std::string why;
        // Two recorders of the same sections would be in each other's way.
        if (account.feature == plan::TargetFeature::preemptirq && has(plan::TargetFeature::irq_latency))
            why = "irq_latency is there and measures the same";
        else
            why = co_await probe(account);
        if (why.empty()) accounts_.push_back(account);
        recorder_.event(instruments_.clock.now(), "feature",
                        {{"feature", name_of(account.feature)}, {"there", why.empty()}, {"why", why}});
    }
}

bool Engine::has(plan::TargetFeature feature) const {
    return std::ranges::find(accounts_, feature, &TargetAccount::feature) != accounts_.end();
}

void Engine::refuse_impossible_cases() const {
    for (const auto& one : plan_.cases) {
        const bool any_kernel_can = std::holds_alternative<plan::KmsgStimulus>(one.stimulus) ||
                                    std::holds_alternative<plan::TtyStimulus>(one.stimulus);
        if (any_kernel_can || has(plan::TargetFeature::printk_test)) continue;
        throw PlanError(
            fmt::format("case '{}' needs the target's printk_test, to print its record and find it again", one.name),
            plan_.wants_feature(plan::TargetFeature::printk_test)
                ? "build the kernel with firmware-target/patches, or load the module (board: { module: … } in the lab "
                  "file), or run testplans/stock.yaml, which any kernel can"
                : "add printk_test to wants: { target: […] }");
    }
}

awaitable<void> Engine::refuse_unwritable_kmsg() {
    const auto writes = std::ranges::find_if(
        plan_.cases, [](const auto& one) { return std::holds_alternative<plan::KmsgStimulus>(one.stimulus); });
    if (writes == plan_.cases.end()) co_return;
    Step step(recorder_, instruments_.clock, "look for /dev/kmsg", command_time);
    const auto writable = co_await shell_.run_repeatable("test -w /dev/kmsg", step.deadline());
    if (writable.exit_code != 0)
        throw PlanError(
            fmt::format("case '{}' writes to /dev/kmsg, which this shell's user may not, or which is not there",
                        writes->name),
            std::string(root_hint));
    step.done();
}

void Engine::interrupt(const std::string& why) {
    log_.close(std::make_exception_ptr(BenchError(why, "run it again; what was recorded so far is in the bundle")));
}

awaitable<void> Engine::shut_down() {
    // A board that is switched off forgets by itself.
    if (at_prompt_ && instruments_.power == nullptr) co_await leave("put the target back", &Engine::put_back);
    if (pumping_) co_await leave("console close", &Engine::close_console);
    if (instruments_.power != nullptr) co_await leave("power off", &Engine::power_off);
}

/// What rig has changed on the target becomes what it was. A command that fails keeps no other from being tried.
awaitable<void> Engine::put_back() {
    std::vector<std::string> commands;
    for (const auto& account : accounts_) {
        if (!account.leave.empty()) commands.push_back(account.leave);
    }
    if (module_loaded_) commands.emplace_back("unset -f sync; rmmod rig_target");
    if (!loglevels_.empty()) commands.push_back(fmt::format("echo {} >/proc/sys/kernel/printk", one_line(loglevels_)));
    commands.emplace_back("rm -f /tmp/rig.out");
    const device::Deadline deadline{"put the target back", instruments_.clock.now() + command_time};
    for (const auto& command : commands) co_await shell_.run_repeatable(command, deadline);
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
