// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/engine/engine.hpp"
#include "rig/engine/step.hpp"
#include "rig/error.hpp"

#include <cmath>
#include <random>
#include <ranges>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace rig::engine {

using namespace std::chrono_literals;
using device::awaitable;

namespace {

/// Samples taken before anything is typed: enough for the idle time that the certificate asks for, twice.
constexpr unsigned idle_shares = 2;
/// Room for what one trial puts on the wire besides its records: the echo of the stimulus, the intervals, the prompt.
constexpr unsigned frames_around = 600;
/// Room for each record: the kernel's own limit (CONSOLE_LOG_MAX in kernel/printk/printk.c) and its interval.
constexpr unsigned frames_of_a_record = 1100;
/// Room in a capture for delays that no earlier step has shown.
constexpr auto room_for_the_unseen = 40ms;

constexpr auto command_time = 10s;
/// How much longer than its time on the wire the stimulus may take.
constexpr auto stimulus_patience = 2s;
constexpr auto ping_time = 3s;
/// How much longer than its samples a capture may take before the driver is stopped by force.
constexpr auto capture_patience = 3s;

/// Eight hexadecimal digits that no earlier record on this wire bears: from the trial's number and the run's own clock.
std::string make_nonce(unsigned trial, host_time now) {
    std::seed_seq seed{trial, static_cast<unsigned>(now.time_since_epoch().count() & 0xffffffff),
                       static_cast<unsigned>(now.time_since_epoch().count() >> 32)};
    std::mt19937 generator(seed);
    return fmt::format("{:08x}", static_cast<std::uint32_t>(generator()));
}

/// Text of exactly `length` characters, "test NONCE 000…", as printf(1) makes it of a short line: the quotes keep what
/// is typed from reading as what it prints.
std::string printf_record(std::int64_t length, const std::string& nonce, std::string_view level) {
    const auto padding = length - static_cast<std::int64_t>(std::string_view("test ").size() + nonce.size() + 1);
    return fmt::format("printf '{}te''st {} %0{}d\\n' 0", level, nonce, padding);
}

/// How each stimulus is typed, and what is done before and read after it.
struct StimulusWords {
    const plan::Parameters& parameters;
    const std::string& nonce;

    std::string prepare(const plan::ShellStimulus&) const {
        return fmt::format("echo nonce={} >/proc/printk_test", nonce);
    }
    std::string prepare(const plan::PrintkTestStimulus&) const { return {}; }
    /// The way that will be timed is gone once before; KERN_DEBUG stays off a console at loglevel 7.
    std::string prepare(const plan::KmsgStimulus&) const { return "printf '<7>rig %04d\\n' 0 >/dev/kmsg"; }
    std::string prepare(const plan::TtyStimulus&) const { return {}; }

    std::string line(const plan::ShellStimulus& shell) const { return shell.command; }
    std::string line(const plan::PrintkTestStimulus& printk) const {
        return fmt::format("echo length={} count={} nonce={} >/proc/printk_test",
                           plan::value_at(printk.length, parameters), plan::value_at(printk.count, parameters), nonce);
    }
    /// The level shows at any console loglevel above KERN_ERR; that of the record behind it, which bounds the interval,
    /// does not: it takes no time on the wire.
    std::string line(const plan::KmsgStimulus& kmsg) const {
        return fmt::format("{} >/dev/kmsg; printf '<7>sho''rt {} 0\\n' >/dev/kmsg",
                           printf_record(plan::value_at(kmsg.length, parameters), nonce, "<3>"), nonce);
    }
    std::string line(const plan::TtyStimulus& tty) const {
        return printf_record(plan::value_at(tty.length, parameters), nonce, "");
    }

    std::vector<TargetOutput> collect(const plan::KmsgStimulus&) const {
        return {{fmt::format("dmesg | grep {}", nonce), "kernel_log"}};
    }
    template <class Other>
    std::vector<TargetOutput> collect(const Other&) const {
        return {};
    }
};

}  // namespace

host_clock::duration Engine::time_on_wire(const TrialRequest& request) const {
    std::int64_t records = 1;
    if (const auto* printk = std::get_if<plan::PrintkTestStimulus>(&request.of_case->stimulus))
        records = plan::value_at(printk->count, request.parameters);
    const auto frames = frames_around + frames_of_a_record * records;
    return std::chrono::nanoseconds{frames * 10'000'000'000 / station_.console.baud.value};
}

std::uint64_t Engine::capture_samples(const TrialRequest& request) const {
    const auto room = capture_start_ + shell_.response_time() + room_for_the_unseen;
    const auto seconds =
        idle_shares * to_seconds(plan_.certificate.idle_before) + to_seconds(time_on_wire(request)) + to_seconds(room);
    return static_cast<std::uint64_t>(std::ceil(seconds * static_cast<double>(station_.analyzer.samplerate.hz)));
}

std::string Engine::stimulus_line(const TrialRequest& request, const std::string& nonce) const {
    const StimulusWords words{request.parameters, nonce};
    std::string line =
        std::visit([&](const auto& stimulus) { return words.line(stimulus); }, request.of_case->stimulus);
    for (const auto& account : accounts_ | std::views::reverse) {
        if (!account.arm.empty()) line = fmt::format("{}; {}; {}", account.arm, line, account.disarm);
    }
    return line;
}

awaitable<evidence::TrialRecord> Engine::run_trial(TrialRequest request) {
    Step step(recorder_, instruments_.clock, fmt::format("trial {}", request.trial),
              2 * command_time + 3 * time_on_wire(request) + 60s);
    evidence::TrialRecord record;
    record.trial = request.trial;
    record.case_name = request.of_case->name;
    record.parameters = request.parameters;
    record.attempt = request.attempt;
    record.nonce = make_nonce(request.trial, instruments_.clock.now());
    record.stimulus = stimulus_line(request, record.nonce);

    record.console_from = log_.size();
    recorder_.trial_begin(instruments_.clock.now(), record);

    std::exception_ptr lost;
    try {
        co_await prepare(request, record.nonce);
        co_await capture_stimulus(request, record);
        if (!record.failure) co_await collect(request, record);
    } catch (const Error& error) {
        if (!record.failure) record.failure = evidence::Failure::of(error);
        lost = std::current_exception();
    }
    if (record.console_to == 0) record.console_to = log_.size();
    recorder_.trial(instruments_.clock.now(), record);
    if (lost) std::rethrow_exception(lost);
    step.done();
    co_return record;
}

awaitable<void> Engine::prepare(const TrialRequest& request, std::string nonce) {
    Step step(recorder_, instruments_.clock, "prepare", command_time);
    const StimulusWords words{request.parameters, nonce};
    std::string line =
        std::visit([&](const auto& stimulus) { return words.prepare(stimulus); }, request.of_case->stimulus);
    for (const auto& account : accounts_) {
        if (!account.reset.empty()) line += (line.empty() ? "" : " && ") + account.reset;
    }
    if (!line.empty()) {
        const auto reply = co_await shell_.run_repeatable(line, step.deadline());
        if (reply.exit_code != 0)
            throw BenchError(
                fmt::format("preparing the trial failed on the target: {}", console::show_tail(reply.output)));
    }
    step.done();
}

awaitable<void> Engine::capture_stimulus(const TrialRequest& request, evidence::TrialRecord& record) {
    if (instruments_.witness != nullptr) {
        Step step(recorder_, instruments_.clock, "bench window", command_time);
        co_await instruments_.witness->begin(step.deadline());
        step.done();
    }
    record.console_from = log_.size();

    device::CaptureRequest asked{station_.analyzer.samplerate, capture_samples(request), station_.analyzer.channels};
    const auto duration = std::chrono::duration_cast<host_clock::duration>(
        std::chrono::duration<double>(static_cast<double>(asked.samples) / static_cast<double>(asked.rate.hz)));
    Step step(recorder_, instruments_.clock, "capture", duration + capture_patience);
    const auto spool = recorder_.capture(record.trial);
    const auto started = instruments_.clock.now();
    const auto capture = co_await instruments_.analyzer.start(asked, *spool, step.deadline());
    spool->begin(asked.rate, capture->layout());
    recorder_.capture_begin(instruments_.clock.now(), *spool, asked, capture->layout());

    const auto idle_samples = static_cast<std::uint64_t>(idle_shares * to_seconds(plan_.certificate.idle_before) *
                                                         static_cast<double>(asked.rate.hz));
    co_await capture->reach(idle_samples, step.deadline());
    capture_start_ = std::max(capture_start_, instruments_.clock.now() - started);
    co_await stimulate(request, record);
    const auto end = co_await capture->finish(step.deadline());
    record.console_to = log_.size();

    evidence::CaptureRecord& captured = record.capture.emplace();
    captured.rate = asked.rate;
    captured.limit = asked.samples;
    captured.samples = end.samples;
    captured.end_packet = end.end_packet;
    captured.started_ns = end.started.time_since_epoch().count();
    if (end.first) captured.first_ns = end.first->time_since_epoch().count();
    captured.ended_ns = end.ended.time_since_epoch().count();
    captured.bits = capture->layout().bits;
    captured.error = end.error;
    captured.file = spool->finish();

    if (instruments_.witness != nullptr) {
        Step window(recorder_, instruments_.clock, "bench window end", command_time);
        const auto said = co_await instruments_.witness->end(window.deadline());
        record.bench_file = recorder_.store(fmt::format("bench/{:04}.json", record.trial), said);
        window.done();
    }
    step.done();
}

awaitable<void> Engine::stimulate(const TrialRequest& request, evidence::TrialRecord& record) {
    Step step(recorder_, instruments_.clock, "stimulus: " + record.stimulus, time_on_wire(request) + stimulus_patience);
    try {
        const auto reply = co_await shell_.run(record.stimulus, step.deadline());
        if (reply.exit_code == 0) {
            step.done();
            co_return;
        }
        record.failure = {Culprit::bench,
                          fmt::format("the stimulus ended with exit code {} on the target: {}", reply.exit_code,
                                      console::show_tail(reply.output)),
                          ""};
        co_return;
    } catch (const Error& error) {
        record.failure = evidence::Failure::of(error);
    }
    if (record.failure->culprit != Culprit::dut) co_await find_out_what_happened(record);
}

/// The stimulus' reply did not come: a byte was lost on the way, or the board is gone.
awaitable<void> Engine::find_out_what_happened(evidence::TrialRecord& record) {
    log_.check();
    const auto begin = log_.last_arrival();
    Step step(recorder_, instruments_.clock, "is the board alive", ping_time);
    const bool answered = co_await shell_.answers(step.deadline());
    if (answered) {
        step.done();
        co_return;
    }
    record.failure = {Culprit::dut,
                      fmt::format("the board hung in trial {}: no answer for {:.1f} s after '{}'", record.trial,
                                  to_seconds(instruments_.clock.now() - begin), record.stimulus),
                      "see the end of the console log"};
}

awaitable<void> Engine::collect(const TrialRequest& request, evidence::TrialRecord& record) {
    const StimulusWords words{request.parameters, record.nonce};
    auto outputs = std::visit([&](const auto& stimulus) { return words.collect(stimulus); }, request.of_case->stimulus);
    for (const auto& account : accounts_) outputs.insert(outputs.end(), account.collect.begin(), account.collect.end());
    for (const auto& output : outputs) {
        const auto store_as = fmt::format("target/{:04}/{}.txt", record.trial, output.name);
        const bool stored = co_await fetch(output, store_as);
        if (stored) record.target_files[output.name] = store_as;
    }
}

}  // namespace rig::engine
