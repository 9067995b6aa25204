// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/test_bench.hpp"

#include "rig/error.hpp"

#include <array>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

namespace rig::sim {
namespace {

using namespace std::chrono_literals;

device::awaitable<void> keep_reading(device::Console& console, device::Clock& clock, console::ByteLog& log) {
    std::array<std::byte, 256> buffer{};
    try {
        while (true) {
            const auto count = co_await console.read(buffer);
            if (count == 0) co_return;
            log.append(std::span(buffer).first(count), clock.now());
        }
    } catch (const Error&) {
        log.close(std::current_exception());
    }
}

device::awaitable<void> wait_for_text(console::ByteLog& log, device::Clock& clock, std::string text, std::size_t from,
                                      host_time until) {
    while (log.since(from).find(text) == std::string_view::npos) {
        log.check();
        const bool in_time = co_await log.changed.wait(clock, until);
        if (!in_time)
            throw BenchError(fmt::format("'{}' did not come; last: {}", text, console::show_tail(log.bytes())));
    }
}

device::awaitable<void> write_text(device::Console& console, std::string text) {
    const device::Deadline unlimited{"typing", host_time::max()};
    co_await console.write(std::as_bytes(std::span(text)), unlimited);
}

}  // namespace

TestBench::TestBench(SimParameters parameters) : station(clock, std::move(parameters)) {}

TestBench::~TestBench() {
    clock.abandon(io);
}

void TestBench::open_console() {
    clock.run_until_done(io, station.console().open({"open the console", in(1s)}));
    boost::asio::co_spawn(io, keep_reading(station.console(), clock, log), boost::asio::detached);
}

void TestBench::power_on() {
    clock.run_until_done(io, station.power().on({"power on", in(1s)}));
}

void TestBench::power_off() {
    clock.run_until_done(io, station.power().off({"power off", in(1s)}));
}

void TestBench::boot() {
    open_console();
    power_on();
    expect(station.parameters().prompt);
}

void TestBench::type(std::string_view text) {
    clock.run_until_done(io, write_text(station.console(), std::string(text)));
}

void TestBench::pass(std::chrono::nanoseconds span) {
    clock.run_until_done(io, device::pause(clock, span));
}

void TestBench::expect(std::string_view text, std::size_t from) {
    clock.run_until_done(io, wait_for_text(log, clock, std::string(text), from, in(10s)));
}

console::Reply TestBench::command(std::string_view command) {
    const auto tag = fmt::format("{:x}", ++commands_);
    return reply_to(console::frame_command(command, tag), tag);
}

console::Reply TestBench::file(std::string_view path) {
    const auto tag = fmt::format("{:x}", ++commands_);
    return reply_to(console::frame_output("cat " + std::string(path), tag), tag);
}

console::Reply TestBench::reply_to(std::string_view line, std::string_view tag) {
    const auto from = log.size();
    type(fmt::format("{}\r", line));
    // The prompt behind it, so that the line is quiet when the next command is typed.
    expect(fmt::format("@E{}:", tag), from);
    expect(station.parameters().prompt, log.bytes().find(fmt::format("@E{}:", tag), from));
    return console::find_reply(log.since(from), tag).value();
}

std::unique_ptr<device::Capture> TestBench::start_capture(KeptSamples& samples, std::uint64_t count, SampleRate rate) {
    return clock.run_until_done(
        io, station.analyzer().start({.rate = rate, .samples = count, .channels = SimStation::channels()}, samples,
                                     {"start the capture", in(1s)}));
}

device::CaptureEnd TestBench::finish(device::Capture& capture, std::chrono::nanoseconds within) {
    return clock.run_until_done(io, capture.finish({"finish the capture", in(within)}));
}

}  // namespace rig::sim
