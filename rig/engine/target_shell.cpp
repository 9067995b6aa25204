// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/engine/target_shell.hpp"

#include "rig/console/kernel_log.hpp"
#include "rig/console/login.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace rig::engine {
namespace {

using namespace std::chrono_literals;
using console::Reply;
using device::awaitable;
using device::Deadline;

constexpr unsigned typing_attempts = 3;
constexpr unsigned repeat_attempts = 3;
/// How long nothing may come of a reply that is asked for again.
constexpr auto repeat_time = 3s;
/// The wire counts as idle after this; longer than a getty's or a kernel's pause between two pieces of one line.
constexpr auto idle_time = 3ms;
/// How long the shell may take to give its prompt back after a command's reply.
constexpr auto prompt_time = 200ms;
/// How long a shell may take to answer the ping that proves it.
constexpr auto ping_time = 1s;
/// A console that has said nothing for this long waits for an Enter.
constexpr auto silence_time = 2s;
/// Ctrl-C.
constexpr std::string_view interrupt = "\x03";
/// How long sudo may take to ask for a password, if it does.
constexpr auto sudo_time = 5s;

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

double seconds_since(host_time begin, host_time now) {
    return to_seconds(now - begin);
}

}  // namespace

TargetShell::TargetShell(device::Clock& clock, device::Console& console, console::ByteLog& log, Baud baud,
                         lab::BootSpec boot)
    : clock_(clock),
      console_(console),
      log_(log),
      frame_(std::chrono::nanoseconds{10'000'000'000 / baud.value}),
      boot_(std::move(boot)),
      prompt_(boot_.prompt) {}

std::string TargetShell::next_tag() {
    return fmt::format("{:03x}", ++tags_ & 0xfffU);
}

void TargetShell::check_alive(std::size_t from) const {
    log_.check();
    if (const auto death = console::find_death(log_.bytes(), from))
        throw DutError(fmt::format("the board died: {}", *death), "see the console log");
}

void TargetShell::check_no_reboot() {
    if (!boot_looked_at_) return;
    if (console::finds_boot(log_.bytes(), *boot_looked_at_))
        throw DutError("the board rebooted", "see the console log");
    // Its line may still be on the way: the last bytes are looked at again.
    constexpr std::size_t longest_line = 128;
    *boot_looked_at_ = std::max(*boot_looked_at_, log_.size() - std::min(log_.size(), longest_line));
}

awaitable<void> TargetShell::wait_idle(Deadline deadline) {
    while (true) {
        const auto quiet_at = log_.last_arrival() + std::max<host_clock::duration>(idle_time, 10 * frame_);
        if (clock_.now() >= quiet_at) co_return;
        if (clock_.now() >= deadline.until)
            throw BenchError(fmt::format("{}: the wire never idles; last bytes: {}", deadline.what,
                                         console::show_tail(log_.bytes())),
                             "something prints without a pause: lower the console's loglevel");
        co_await log_.changed.wait(clock_, std::min(quiet_at, deadline.until));
        log_.check();
    }
}

awaitable<bool> TargetShell::echo_came(std::size_t from, std::string typed, Deadline deadline) {
    // Typed and echoed each take the wire's time; the rest is the target's and a USB adapter's latency.
    const auto until = std::min(deadline.until, clock_.now() + 2 * frame_ * static_cast<int>(typed.size()) + 300ms);
    while (!console::echoes(log_.since(from), typed)) {
        const bool woke = co_await log_.changed.wait(clock_, until);
        if (!woke) co_return false;
        log_.check();
    }
    co_return true;
}

awaitable<void> TargetShell::type(std::string text, Deadline deadline) {
    static const std::string ctrl_c(interrupt);
    static const std::string enter = "\n";
    for (unsigned attempt = 1; attempt <= typing_attempts; ++attempt) {
        co_await wait_idle(deadline);
        const auto from = log_.size();
        co_await console_.write(bytes_of(text), deadline);
        const bool echoed = co_await echo_came(from, text, deadline);
        if (echoed) {
            co_await console_.write(bytes_of(enter), deadline);
            co_return;
        }
        check_alive(from);
        check_no_reboot();
        if (attempt == typing_attempts)
            throw BenchError(fmt::format("{}: the echo of what was typed did not come back whole; last bytes: {}",
                                         deadline.what, console::show_tail(log_.bytes())),
                             "check RX, TX and the baud rate");
        co_await console_.write(bytes_of(ctrl_c), deadline);
    }
}

awaitable<void> TargetShell::wait_prompt(std::size_t from, Deadline deadline) {
    const auto until = std::min<host_time>(deadline.until, clock_.now() + prompt_time);
    // A line editor may write more behind its prompt (busybox asks the terminal where the cursor is).
    while (log_.since(from).find(prompt_) == std::string_view::npos) {
        const bool woke = co_await log_.changed.wait(clock_, until);
        if (!woke) co_return;
        log_.check();
    }
}

void TargetShell::learn_response_time(host_clock::duration took, std::size_t bytes) {
    response_time_ = std::max(response_time_, took - frame_ * static_cast<int>(bytes));
}

awaitable<Reply> TargetShell::converse(std::string typed, std::string tag, Deadline deadline,
                                       host_clock::duration patience) {
    const auto begin = clock_.now();
    const auto from = log_.size();
    co_await type(std::move(typed), deadline);
    while (true) {
        check_no_reboot();
        if (auto reply = console::find_reply(log_.since(from), tag)) {
            co_await wait_prompt(from + reply->end, deadline);
            learn_response_time(clock_.now() - begin, log_.size() - from);
            co_return *reply;
        }
        check_alive(from);
        const auto patient_until = std::max(begin, log_.last_arrival()) + patience;
        const bool woke = co_await log_.changed.wait(clock_, std::min<host_time>(deadline.until, patient_until));
        if (!woke) break;
    }
    throw BenchError(fmt::format("{}: no whole reply within {:.1f} s; last bytes: {}", deadline.what,
                                 seconds_since(begin, clock_.now()), console::show_tail(log_.since(from))),
                     "the console may have lost a byte, or the command takes longer than its deadline");
}

awaitable<Reply> TargetShell::run(std::string command, Deadline deadline) {
    auto tag = next_tag();
    auto typed = console::frame_command(command, tag);
    const auto patience = deadline.until - clock_.now();
    co_return co_await converse(std::move(typed), std::move(tag), std::move(deadline), patience);
}

/// One try: the reply, or nothing when it was damaged on the way while the line itself stands.
awaitable<std::optional<Reply>> TargetShell::attempt(std::string typed, std::string tag, Deadline deadline) {
    try {
        co_return co_await converse(std::move(typed), std::move(tag), std::move(deadline), repeat_time);
    } catch (const BenchError&) {
        log_.check();
    }
    co_return std::nullopt;
}

awaitable<Reply> TargetShell::run_repeatable(std::string command, Deadline deadline) {
    for (unsigned tried = 1; tried < repeat_attempts; ++tried) {
        auto tag = next_tag();
        auto typed = console::frame_command(command, tag);
        const auto reply = co_await attempt(std::move(typed), std::move(tag), deadline);
        if (reply) co_return *reply;
    }
    co_return co_await run(std::move(command), std::move(deadline));
}

awaitable<std::optional<std::string>> TargetShell::read_output(std::string command, Deadline deadline) {
    for (unsigned tried = 1; tried <= repeat_attempts; ++tried) {
        auto tag = next_tag();
        auto typed = console::frame_output(command, tag);
        const auto reply = co_await attempt(std::move(typed), std::move(tag), deadline);
        if (!reply) continue;
        if (reply->exit_code != 0) co_return std::nullopt;
        auto intact = reply->intact();
        if (!intact) {
            // The kept file is asked for once more: what the command says may be another thing by now.
            const auto again = co_await run_repeatable(std::string(console::print_kept_output), deadline);
            intact = again.output == reply->output;
        }
        if (*intact) co_return reply->output;
    }
    throw BenchError(
        fmt::format("{}: the output of '{}' came damaged {} times", deadline.what, command, repeat_attempts),
        "check the wiring, or lower the console's loglevel");
}

awaitable<bool> TargetShell::answers(Deadline deadline) {
    auto tag = next_tag();
    auto typed = "\n" + console::frame_command("true", tag);
    const auto from = log_.size();
    co_await console_.write(bytes_of(typed + "\n"), deadline);
    while (!console::find_reply(log_.since(from), tag)) {
        const bool woke = co_await log_.changed.wait(clock_, deadline.until);
        if (!woke) co_return false;
        check_alive(from);
    }
    co_await wait_prompt(from, deadline);
    co_return true;
}

awaitable<void> TargetShell::type_line(std::string text, Deadline deadline) {
    text += '\n';
    co_await console_.write(bytes_of(text), deadline);
}

/// Answers what the console asks at its end, once for each question.
awaitable<void> TargetShell::answer_login(Deadline deadline) {
    const auto question = console::find_question(log_.since(login_answered_));
    if (!question) co_return;
    if (console::finds_refusal(log_.bytes(), login_refused_from_))
        throw BenchError(fmt::format("the console refuses the login of '{}'", boot_.login->user),
                         "check user and password of boot: { login: … } in the lab file");
    login_answered_ = log_.size();
    login_refused_from_ = log_.size();
    std::string answer = *question == console::Question::name ? boot_.login->user : boot_.login->password;
    co_await type_line(std::move(answer), std::move(deadline));
}

awaitable<void> TargetShell::reach_prompt(Board board, Deadline deadline) {
    const auto begin = clock_.now();
    auto silent_from = begin;
    while (clock_.now() < deadline.until) {
        check_alive(0);
        if (boot_.login) co_await answer_login(deadline);
        // Kernel lines may stand behind the prompt, so that it need not be the last thing seen.
        if (log_.since(login_answered_).find(prompt_) != std::string_view::npos) {
            const Deadline ping{deadline.what, std::min(deadline.until, clock_.now() + ping_time)};
            const bool answered = co_await answers(ping);
            if (answered) {
                boot_looked_at_ = log_.size();
                co_return;
            }
        }
        silent_from = std::max(silent_from, log_.last_arrival());
        const bool asked = boot_.login && log_.bytes().contains("ogin:");
        if ((board == Board::is_up || asked) && clock_.now() >= silent_from + silence_time) {
            // What somebody has left half typed must not be carried out.
            std::string wake(asked ? std::string_view() : interrupt);
            co_await type_line(std::move(wake), deadline);
            silent_from = clock_.now();
        }
        co_await log_.changed.wait(clock_, std::min(deadline.until, clock_.now() + ping_time));
    }
    std::string hint = "check the prompt in the lab file and that the board boots to a shell";
    if (log_.size() == 0) hint = "nothing came from the console at all: check power, TX and the baud rate";
    if (!boot_.login && log_.bytes().contains("ogin: "))
        hint = "the console asks for a login: say who in the lab file, boot: { login: { user: root, password: … } }";
    throw BenchError(fmt::format("{}: no prompt '{}' answered within {:.1f} s; last bytes: {}", deadline.what, prompt_,
                                 seconds_since(begin, clock_.now()), console::show_tail(log_.bytes())),
                     hint);
}

awaitable<void> TargetShell::become_root(Deadline deadline) {
    // The quotes keep the question from reading as its own echo.
    static const std::string question = "@rig@assword:";
    const auto from = log_.size();
    co_await type_line("sudo -p '@rig''@assword:' sh", deadline);
    const auto until = std::min<host_time>(deadline.until, clock_.now() + sudo_time);
    bool waits = true;
    while (waits && !log_.since(from).contains(question)) waits = co_await log_.changed.wait(clock_, until);
    if (waits) co_await type_line(boot_.login->password, deadline);
    const bool answered = co_await answers(deadline);
    if (!answered || console::finds_refusal(log_.bytes(), from))
        throw BenchError(fmt::format("sudo gives '{}' no root shell; last bytes: {}", boot_.login->user,
                                     console::show_tail(log_.since(from))),
                         "check that the user may use sudo, and the password in the lab file");
    const auto uid = co_await run_repeatable("id -u", deadline);
    if (!uid.output.starts_with("0\n"))
        throw BenchError(fmt::format("sudo gives '{}' no root shell, it stays user {}: {}", boot_.login->user,
                                     console::show_tail(uid.output), console::show_tail(log_.since(from))),
                         "is sudo on the target, and may the user use it?");
    // From now on the prompt is the one that rig sets; typed so that its echo is not taken for it.
    co_await run_repeatable("PS1='rig''# '", deadline);
    prompt_ = "rig# ";
}

}  // namespace rig::engine
