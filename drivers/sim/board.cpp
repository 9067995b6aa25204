// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/board.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rig::sim {
namespace {

constexpr std::string_view temporary = "/tmp/";
constexpr std::string_view first_nonce = "00000000";
constexpr unsigned level_emergency = 0;
constexpr unsigned level_warning = 4;
constexpr unsigned level_info = 6;

std::string_view without_newline(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
}

std::optional<std::vector<unsigned>> numbers_of(std::string_view text) {
    std::vector<unsigned> numbers;
    while (true) {
        const auto begin = text.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return numbers;
        text.remove_prefix(begin);
        unsigned value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{}) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
        numbers.push_back(value);
    }
}

}  // namespace

Board::Board(const SimParameters& parameters, const FaultBoard& faults, Transmitter& uart)
    : parameters_(&parameters), faults_(&faults), uart_(&uart), kernel_(parameters, uart) {}

void Board::power_on(true_time at) {
    if (powered()) return;
    uart_->reset(at);
    boot(at);
}

void Board::power_off(true_time at) {
    if (!powered()) return;
    life_ = Life::off;
    uart_->reset(at);
    kernel_.stop(at);
}

void Board::boot(true_time at) {
    kernel_.start(at);
    terminal_.reset();
    shell_ = Shell(*this);
    nonce_ = first_nonce;
    files_.clear();
    life_ = Life::booting;
    cpu_ = at;
    const std::array lines{
        std::string("Booting Linux on physical CPU 0x0"),
        version(),
        fmt::format("Kernel command line: {}", command_line()),
        std::string("printk: console [ttyAMA0] enabled"),
        std::string("Run /init as init process"),
    };
    uart_->print_queued(parameters_->firmware_noise, cpu_);
    const auto step = picoseconds{parameters_->boot_time} / static_cast<int>(lines.size() + 1);
    for (const auto& line : lines) {
        cpu_ += step;
        printk(level_info, line);
        if (life_ != Life::booting) return;
    }
    cpu_ = std::max(cpu_, at + parameters_->boot_time);
    if (faults_->holds(FaultKind::board_never_prompts)) return;
    life_ = Life::running;
    shell_from_ = cpu_;
    print(fmt::format("\n{} is ready\n", parameters_->machine));
    begin_session();
}

void Board::begin_session() {
    uid_ = 0;
    shell_prompt_ = parameters_->prompt;
    session_ = parameters_->login ? Session::name : Session::shell;
    prompt();
}

void Board::prompt() {
    if (dead()) return;
    terminal_.set_echo(session_ == Session::password || session_ == Session::sudo ? Terminal::Echo::off
                                                                                  : Terminal::Echo::on);
    switch (session_) {
        case Session::name:
            return print("sim login: ");
        case Session::password:
            return print("Password: ");
        case Session::shell:
            return print(shell_prompt_ + parameters_->after_prompt);
        case Session::sudo:
            return;  // sudo has asked already, in its own words
    }
}

void Board::log_in(std::string_view password) {
    print("\n");
    const bool known = name_ == parameters_->login->user && password == parameters_->login->password;
    session_ = known ? Session::shell : Session::name;
    if (known)
        uid_ = parameters_->login->uid;
    else
        print("Login incorrect\n");
}

/// A line for whoever reads the terminal.
void Board::take_line(std::string_view line) {
    switch (session_) {
        case Session::name:
            name_ = line;
            if (!line.empty()) session_ = Session::password;
            return prompt();
        case Session::password:
            log_in(line);
            return prompt();
        case Session::sudo:
            session_ = Session::shell;
            print("\n");
            if (line == parameters_->login->password) {
                uid_ = 0;
                shell_prompt_ = "# ";
            } else {
                print("Sorry, try again.\n");
            }
            return prompt();
        case Session::shell:
            return run_line(line);
    }
}

void Board::receive(std::uint8_t byte, true_time at) {
    if (life_ != Life::running || at < shell_from_) return;
    cpu_ = std::max(cpu_, at);
    auto reaction = terminal_.type(static_cast<char>(byte));
    uart_->print_queued(reaction.echo, cpu_);
    if (reaction.interrupted) prompt();
    if (reaction.line) take_line(*reaction.line);
}

void Board::run_line(std::string_view line) {
    shell_.run(line);
    if (reset_) {
        // Only now: the reset board must not find its shell in the middle of the old line.
        reset_ = false;
        kernel_.stop(cpu_);
        boot(cpu_);
        return;
    }
    prompt();
}

void Board::print(std::string_view text) {
    uart_->print_queued(Terminal::cooked(text), cpu_);
}

void Board::stop_if_hung(std::optional<true_time> goes_on) {
    if (goes_on) {
        cpu_ = *goes_on;
    } else {
        life_ = Life::dead;
    }
}

void Board::printk(unsigned level, std::string_view text) {
    stop_if_hung(kernel_.printk(level, text, cpu_));
}

void Board::print_measured(std::string_view text) {
    stop_if_hung(kernel_.printk_measured(text, nonce_, cpu_));
    strike_after_record();
}

void Board::strike_after_record() {
    const auto& capture = uart_->capture();
    if (dead() || !capture.running) return;
    if (faults_->in_capture(FaultKind::board_panic, capture.number)) {
        printk(level_emergency, "Kernel panic - not syncing: Fatal exception in interrupt");
        printk(level_emergency, "---[ end Kernel panic - not syncing: Fatal exception in interrupt ]---");
        kernel_.halt(cpu_);
        life_ = Life::dead;
    } else if (faults_->in_capture(FaultKind::board_reboot, capture.number)) {
        reset_ = true;
    }
}

void Board::sync() {
    const auto prefix =
        fmt::format("[{:5}.000000] ", std::chrono::floor<std::chrono::seconds>(kernel_.uptime(cpu_)).count());
    print_measured(stimulus::sync_text(nonce_, prefix.size()));
    if (!dead()) print_measured(stimulus::short_text(nonce_));
}

void Board::begin_command() {
    cpu_ += parameters_->command_time;
}

std::optional<ProgramResult> Board::execute(std::span<const std::string> words) {
    const auto& name = words.front();
    if (name == "sync") {
        if (parameters_->printk_test == Presence::present) sync();
        return ProgramResult{};
    }
    if (name == "uname") return run_uname(words);
    if (name == "stty") return run_stty(words);
    if (name == "sleep") return run_sleep(words);
    if (name == "sudo") return run_sudo(words);
    if (name == "dmesg") return ProgramResult{.status = 0, .output = kernel_.log(), .errors = {}};
    if (name == "id") return ProgramResult{.status = 0, .output = fmt::format("{}\n", uid_), .errors = {}};
    if (name == "mount" || name == "rm") return ProgramResult{};
    return std::nullopt;
}

ProgramResult Board::run_uname(std::span<const std::string> words) const {
    const auto all =
        fmt::format("Linux (none) {} #1 {} GNU/Linux\n", parameters_->kernel_release, parameters_->machine);
    if (words.size() == 2 && words[1] == "-a") return {.status = 0, .output = all, .errors = {}};
    if (words.size() == 2 && words[1] == "-r")
        return {.status = 0, .output = parameters_->kernel_release + "\n", .errors = {}};
    return {.status = 0, .output = "Linux\n", .errors = {}};
}

ProgramResult Board::run_stty(std::span<const std::string> words) {
    for (const auto& word : words) {
        if (word == "-echo") terminal_.set_echo(Terminal::Echo::off);
        if (word == "echo" || word == "sane") terminal_.set_echo(Terminal::Echo::on);
    }
    return {};
}

ProgramResult Board::run_sleep(std::span<const std::string> words) {
    const auto span = words.size() == 2 ? numbers_of(words[1]) : std::nullopt;
    if (!span || span->size() != 1) return {.status = 1, .output = {}, .errors = "sleep: invalid number\n"};
    cpu_ += std::chrono::seconds{span->front()};
    return {};
}

/// `sudo -p QUESTION sh`.
ProgramResult Board::run_sudo(std::span<const std::string> words) {
    if (!parameters_->login || words.size() < 3) return {.status = 1, .output = {}, .errors = "sudo: not for you\n"};
    session_ = Session::sudo;
    return {.status = 0, .output = words[2], .errors = {}};
}

const std::map<std::string_view, Board::KernelFile>& Board::all_kernel_files() {
    static const std::map<std::string_view, KernelFile> files{
        {"/proc/cmdline", {&Board::read_command_line, nullptr}},
        {"/proc/consoles", {&Board::read_consoles, nullptr}},
        {"/proc/irq_latency", {&Board::read_irq_latency, &Board::write_irq_latency}},
        {"/proc/irq_latency_events", {&Board::read_irq_events, nullptr}},
        {"/proc/irq_marker", {&Board::read_marker, &Board::write_marker}},
        {"/proc/printk_test", {&Board::read_printk_test, &Board::write_printk_test}},
        {"/proc/sys/kernel/printk", {&Board::read_loglevels, &Board::write_loglevels}},
        {"/proc/timer_list", {&Board::read_timer_list, nullptr}},
        {"/proc/uptime", {&Board::read_uptime, nullptr}},
        {"/proc/version", {&Board::read_version, nullptr}},
        {"/dev/kmsg", {nullptr, &Board::write_kmsg}},
    };
    return files;
}

const Board::KernelFile* Board::kernel_file(std::string_view path) const {
    const auto missing = [this, path](std::string_view start, Presence presence) {
        return path.starts_with(start) && presence == Presence::absent;
    };
    if (missing("/proc/irq_latency", parameters_->irq_latency) || missing("/proc/irq_marker", parameters_->marker) ||
        missing("/proc/printk_test", parameters_->printk_test) || missing("/proc/timer_list", parameters_->timer_list))
        return nullptr;
    const auto found = all_kernel_files().find(path);
    return found == all_kernel_files().end() ? nullptr : &found->second;
}

std::expected<std::string, FileError> Board::read_file(std::string_view path) {
    if (path == "/dev/null") return std::string{};
    if (path == "/proc/timer_list" && !is_root()) return std::unexpected(FileError::denied);
    if (const auto* const file = kernel_file(path)) {
        if (file->read == nullptr) return std::unexpected(FileError::invalid);
        return (this->*file->read)();
    }
    const auto found = files_.find(path);
    if (found == files_.end()) return std::unexpected(FileError::missing);
    return found->second;
}

std::optional<FileError> Board::refuses_write(std::string_view path) {
    if (path == "/dev/null" || path.starts_with(temporary)) return std::nullopt;
    if (const auto* const file = kernel_file(path))
        return file->write == nullptr || !is_root() ? std::optional(FileError::denied) : std::nullopt;
    return FileError::no_folder;
}

std::optional<FileError> Board::write_file(std::string_view path, std::string_view content, WriteMode mode) {
    if (path == "/dev/null") return std::nullopt;
    if (const auto refused = refuses_write(path)) return refused;
    if (path.starts_with(temporary)) {
        auto& file = files_[std::string(path)];
        if (mode == WriteMode::replace) file.clear();
        file += content;
        return std::nullopt;
    }
    // A program that prints nothing writes nothing, and the kernel hears nothing.
    if (content.empty()) return std::nullopt;
    return (this->*kernel_file(path)->write)(without_newline(content));
}

std::string Board::read_irq_latency() {
    return kernel_.irq_latency(cpu_).worst_file();
}

std::string Board::read_irq_events() {
    return kernel_.irq_latency(cpu_).events_file();
}

std::optional<FileError> Board::write_irq_latency(std::string_view content) {
    return kernel_.irq_latency(cpu_).command(content) ? std::nullopt : std::optional(FileError::invalid);
}

std::string Board::read_loglevels() {
    return fmt::format("{}\t4\t1\t7\n", kernel_.console_loglevel());
}

std::optional<FileError> Board::write_loglevels(std::string_view content) {
    const auto levels = numbers_of(content);
    if (!levels || levels->empty() || levels->size() > 4) return FileError::invalid;
    kernel_.set_console_loglevel(levels->front());
    return std::nullopt;
}

/// The lines that rig reads, in the words of kernel/time/timer_list.c.
std::string Board::read_timer_list() {
    constexpr unsigned periodic = 2;
    constexpr unsigned oneshot = 3;
    const bool catches_up = parameters_->tick_model == target::TickModel::catch_up;
    return fmt::format(
        "Timer List Version: v0.9\nnow at {} nsecs\n\ncpu: 0\njiffies: {}\n\nTick Device: mode:     {}\n"
        "Per CPU device: 0\nClock Event Device: timer0\n mode:           {}\n",
        kernel_.sched_clock(cpu_).time_since_epoch().count(), kernel_.jiffies(cpu_), catches_up ? 1 : 0,
        catches_up ? oneshot : periodic);
}

std::string Board::read_uptime() {
    const auto up = to_seconds(kernel_.uptime(cpu_));
    return fmt::format("{:.2f} {:.2f}\n", up, up);
}

std::optional<FileError> Board::write_marker(std::string_view content) {
    if (content != "0" && content != "1") return FileError::invalid;
    kernel_.set_marker(content == "1" ? Arming::armed : Arming::disarmed, cpu_);
    return std::nullopt;
}

std::string Board::read_marker() {
    return fmt::format("armed: {}\npin_cpu0: 101e4000.gpio 0\n", kernel_.marker() == Arming::armed ? 1 : 0);
}

std::optional<FileError> Board::write_kmsg(std::string_view content) {
    unsigned level = level_warning;
    if (content.size() > 3 && content[0] == '<' && content[2] == '>' && content[1] >= '0' && content[1] <= '7') {
        level = static_cast<unsigned>(content[1] - '0');
        content.remove_prefix(3);
    }
    printk(level, content);
    return std::nullopt;
}

std::string Board::read_printk_test() {
    return fmt::format(
        "version: 1\nhz: {}\njiffies: {}\nsched_clock_ns: {}\nsched_clock_step_ns: {}\ntick_model: {}\n"
        "tick_cpu: 0\nnonce: {}\nprintk_time_clock: local_clock\n",
        parameters_->tick_rate.hz, kernel_.jiffies(cpu_), kernel_.sched_clock(cpu_).time_since_epoch().count(),
        parameters_->clock_step.count(), target::name_of(parameters_->tick_model), nonce_);
}

std::optional<FileError> Board::write_printk_test(std::string_view content) {
    const auto request = stimulus::parse(content, nonce_);
    if (!request) return FileError::invalid;
    if (request->nonce) nonce_ = *request->nonce;
    for (std::uint64_t i = 0; request->length && i < request->count && !dead(); ++i)
        print_measured(stimulus::record_text(nonce_, *request->length));
    return std::nullopt;
}

std::string Board::command_line() const {
    const bool periodic = parameters_->tick_model == target::TickModel::one_per_interrupt;
    return fmt::format("console=ttyAMA0,{} panic=-1{}{}{}", parameters_->baud.value,
                       periodic ? " highres=off nohz=off" : "", parameters_->boot_words.empty() ? "" : " ",
                       parameters_->boot_words);
}

std::string Board::version() const {
    return fmt::format("Linux version {} (sim) #1 {}", parameters_->kernel_release, parameters_->machine);
}

}  // namespace rig::sim
