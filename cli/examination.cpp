// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/examination.hpp"

#include "rig/error.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

namespace rig::cli {

using namespace std::chrono_literals;
using device::awaitable;
using health::Finding;
using health::Mark;

namespace {

constexpr auto rest_time = 100ms;
/// A board prints its first lines within this time; what it says later is not needed.
constexpr auto speech_time = 2500ms;
/// Captured before the board is made to speak, so that its first character is whole.
constexpr auto lead_time = 50ms;

/// Keeps every sample of a short capture.
class KeepSamples final : public device::CaptureSink {
public:
    void samples(std::span<const std::byte> block) override { bytes_.insert(bytes_.end(), block.begin(), block.end()); }

    [[nodiscard]] health::Traces traces(SampleRate rate, const device::SampleLayout& layout) const {
        health::Traces traces;
        const auto whole = bytes_.size() - bytes_.size() % layout.unitsize;
        for (const auto& [role, bit] : layout.bits) {
            wire::EdgeScanner scanner(layout.unitsize, bit);
            scanner.feed(std::span(bytes_).first(whole));
            traces.emplace(role, std::move(scanner).finish(rate));
        }
        return traces;
    }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace

Examination::Examination(engine::Instruments instruments, const lab::Station& station, Report report)
    : instruments_(instruments), station_(station), report_(std::move(report)) {}

device::Deadline Examination::within(std::chrono::seconds span, std::string what) const {
    return {std::move(what), instruments_.clock.now() + span};
}

awaitable<bool> Examination::attempt(std::string about, awaitable<void> (Examination::*look)()) {
    std::optional<Finding> trouble;
    try {
        co_await (this->*look)();
    } catch (const Error& error) {
        trouble = Finding{Mark::bad, about, error.what(), error.hint()};
    }
    if (trouble) report_(*trouble);
    co_return !trouble.has_value();
}

awaitable<void> Examination::all() {
    const bool has_console = co_await attempt("console", &Examination::open_console_or_throw);
    const bool has_analyzer = co_await attempt("analyzer", &Examination::open_analyzer_or_throw);
    if (has_analyzer) {
        const bool rested = co_await attempt("analyzer", &Examination::look_at_rest);
        if (rested && has_console) co_await attempt("analyzer", &Examination::look_at_speech);
    }
    if (has_console && speech_is_sound_) co_await attempt("shell", &Examination::look_at_shell);
    co_await attempt("power", &Examination::leave);
}

awaitable<void> Examination::open_console_or_throw() {
    auto deadline = within(10s, "open the console");
    if (instruments_.power != nullptr) co_await instruments_.power->off(deadline);
    co_await instruments_.console.open(deadline);
    report_({Mark::good, "console", instruments_.console.describe() + " opens", ""});
    reading_ = true;
    boost::asio::co_spawn(co_await boost::asio::this_coro::executor, read_console(), boost::asio::detached);
}

awaitable<void> Examination::read_console() {
    std::array<std::byte, 4096> buffer{};
    try {
        while (true) {
            const auto count = co_await instruments_.console.read(buffer);
            if (count == 0) break;
            log_.append(std::span<const std::byte>(buffer).first(count), instruments_.clock.now());
        }
    } catch (const Error& error) {
        report_({Mark::bad, "console", error.what(), error.hint()});
    }
    reading_ = false;
    read_ended_.notify();
}

awaitable<void> Examination::open_analyzer_or_throw() {
    auto deadline = within(10s, "open the analyzer");
    const auto identity = co_await instruments_.analyzer.open(deadline);
    report_({Mark::good, "analyzer",
             fmt::format("{} {} {} answers to {}", identity.vendor, identity.model, identity.version, identity.driver),
             ""});
}

awaitable<health::Traces> Examination::capture(std::chrono::milliseconds span,
                                               awaitable<void> (Examination::*during)()) {
    const auto rate = station_.analyzer.samplerate;
    const auto samples =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(rate.hz) * static_cast<double>(span.count()) * 1e-3));
    auto deadline = within(std::chrono::duration_cast<std::chrono::seconds>(span) + 10s, "capture");
    device::CaptureRequest asked{rate, samples, station_.analyzer.channels};
    KeepSamples kept;
    const auto capture = co_await instruments_.analyzer.start(asked, kept, deadline);
    co_await (this->*during)();
    const auto end = co_await capture->finish(deadline);
    if (end.samples < samples)
        throw BenchError(fmt::format("gave {} of {} samples at {} Hz{}", end.samples, samples, rate.hz,
                                     end.error.empty() ? "" : ": " + end.error),
                         "lower the sample rate, or give it a USB port of its own");
    report_({Mark::good, "analyzer",
             fmt::format("{} samples at {} Hz in {:.2f} s", samples, rate.hz, to_seconds(end.ended - end.started)),
             ""});
    co_return kept.traces(rate, capture->layout());
}

awaitable<void> Examination::nothing() {
    co_return;
}

awaitable<void> Examination::look_at_rest() {
    const auto traces = co_await capture(rest_time, &Examination::nothing);
    for (const auto& finding : health::judge_rest(traces)) report_(finding);
}

awaitable<void> Examination::look_at_speech() {
    const auto from = log_.size();
    const auto traces = co_await capture(speech_time, &Examination::make_board_speak);
    for (const auto& finding : health::judge_speech(traces, log_.since(from), station_.console.baud)) {
        report_(finding);
        speech_is_sound_ = speech_is_sound_ && finding.mark != Mark::bad;
    }
}

/// The way that a run goes to its shell: prompt, login, root.
awaitable<void> Examination::look_at_shell() {
    using Board = engine::TargetShell::Board;
    const device::Deadline deadline{"prompt", instruments_.clock.now() + station_.boot.within};
    if (instruments_.power != nullptr) co_await instruments_.power->on(deadline);
    engine::TargetShell shell(instruments_.clock, instruments_.console, log_, station_.console.baud, station_.boot);
    co_await shell.reach_prompt(instruments_.power != nullptr ? Board::boots : Board::is_up, deadline);
    if (station_.boot.login && station_.boot.login->root == lab::LoginSpec::Root::sudo)
        co_await shell.become_root(deadline);
    const auto uid = co_await shell.run_repeatable("id -u", deadline);
    if (uid.output.starts_with("0\n"))
        report_({Mark::good, "shell", "answers at its prompt, as root", ""});
    else
        report_({Mark::doubtful, "shell",
                 "answers at its prompt, and is not root's: it can print no record of the kernel",
                 "log in as root, or say boot: { login: { …, root by: sudo } }; testplans/wire.yaml needs no root"});
}

awaitable<void> Examination::make_board_speak() {
    co_await device::pause(instruments_.clock, lead_time);
    auto deadline = within(10s, "make the board speak");
    if (instruments_.power != nullptr) {
        co_await instruments_.power->on(deadline);
        co_return;
    }
    static constexpr std::array enter{std::byte{'\r'}};
    co_await instruments_.console.write(enter, deadline);
}

awaitable<void> Examination::leave() {
    auto deadline = within(5s, "leave");
    if (reading_) instruments_.console.close();
    bool in_time = true;
    while (reading_ && in_time) in_time = co_await read_ended_.wait(instruments_.clock, deadline.until);
    if (instruments_.power != nullptr) co_await instruments_.power->off(deadline);
}

}  // namespace rig::cli
