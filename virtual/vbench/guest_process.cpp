// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest_process.hpp"

#include "process_threads.hpp"
#include "trouble.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/close_range.h>
#include <spawn.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace vbench {

namespace {

namespace fs = std::filesystem;

/// Room in the trace pipe: thousands of lines, so that the guest does not wait for the bench to read them.
constexpr int trace_pipe_bytes = 1 << 20;

/// Moved descriptors are kept clear of the numbers that the guest expects.
constexpr int first_free_fd = 10;

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

std::string message_of(int error) {
    return std::generic_category().message(error);
}

Pipe open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw BenchTrouble(fmt::format("no pipe for the guest: {}", message_of(errno)));
    return {.read = UniqueFd(ends[0]), .write = UniqueFd(ends[1])};
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& string : strings) pointers.push_back(string.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    all.insert(all.end(), additions.begin(), additions.end());
    return all;
}

/// What the child tells through the status pipe, which closes at a successful exec.
enum class Stage : int { realtime, exec };
struct StatusNote {
    Stage stage;
    int error;
};

/// Everything the child needs, prepared before the fork: between fork and exec only async-signal-safe calls are made.
struct ChildPlan {
    const char* program;
    char* const* arguments;
    char* const* environment;
    int tx;
    int rx;
    int trace;
    int errors;
    int status;
    pid_t parent;
    /// SCHED_FIFO priority to ask for; 0 for none.
    int priority;
    const cpu_set_t* cpus;
};

void tell(int status, Stage stage, int error) {
    const StatusNote note{.stage = stage, .error = error};
    [[maybe_unused]] const ssize_t written = ::write(status, &note, sizeof note);
}

/// Moves the descriptors to where the guest expects them. Each is first moved out of the way of the others.
void place_descriptors(const ChildPlan& plan) {
    const int tx = ::fcntl(plan.tx, F_DUPFD_CLOEXEC, first_free_fd);
    const int rx = ::fcntl(plan.rx, F_DUPFD_CLOEXEC, first_free_fd);
    const int trace = ::fcntl(plan.trace, F_DUPFD_CLOEXEC, first_free_fd);
    const int errors = ::fcntl(plan.errors, F_DUPFD_CLOEXEC, first_free_fd);
    ::dup2(rx, STDIN_FILENO);
    ::dup2(tx, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::dup2(trace, guest_trace_fd);
    // Asio's sockets are inherited otherwise, and a client that the bench hangs up on would not notice while the guest
    // lives.
    ::close_range(guest_trace_fd + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

[[noreturn]] void become_guest(const ChildPlan& plan) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) ::_exit(EXIT_FAILURE);  // The bench died before the line above took effect.
    const int status = ::fcntl(plan.status, F_DUPFD_CLOEXEC, first_free_fd);
    ::setpgid(0, 0);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_TIMERSLACK, 1UL);
    place_descriptors(plan);
    if (plan.priority > 0) tell(status, Stage::realtime, ask_for_realtime(plan.priority, plan.cpus));
    ::execve(plan.program, plan.arguments, plan.environment);
    tell(status, Stage::exec, errno);
    ::_exit(EXIT_FAILURE);
}

/// glibc 2.36 declares its wrapper for C only.
UniqueFd open_pidfd(pid_t pid) {
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// Threads inherit the priority, so QEMU starts with that of its devices, and its CPU threads are put back.
int first_priority(const GuestCommand& command) {
    if (command.realtime == RealtimeWish::off || !command.realtime_unwise.empty()) return 0;
    return command.cpu_threads.empty() ? guest_priority : guest_devices_priority;
}

void set_nonblocking(const UniqueFd& fd) {
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

std::string text_of_status(int status) {
    if (WIFSIGNALED(status))
        return fmt::format("was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

std::string name_of_thread(const fs::path& task) {
    std::ifstream file(task / "comm");
    std::string name;
    std::getline(file, name);
    return name;
}

/// Field 12 of /proc/PID/task/TID/stat. Field 2 is the thread's name in brackets, in which anything may stand.
std::uint64_t major_faults_of(const fs::path& task) {
    std::ifstream file(task / "stat");
    std::string line;
    std::getline(file, line);
    std::istringstream behind_name(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    std::string field;
    for (int number = 3; number < 12; ++number) behind_name >> field;
    std::uint64_t faults = 0;
    behind_name >> faults;
    return faults;
}

std::optional<RunDelay> run_delay_of(const fs::path& task) {
    std::ifstream file(task / "schedstat");
    std::int64_t on_cpu = 0;
    std::int64_t waited = 0;
    std::uint64_t turns = 0;
    if (!(file >> on_cpu >> waited >> turns)) return std::nullopt;
    return RunDelay{.waited = nanoseconds(waited), .turns = turns, .major_faults = major_faults_of(task)};
}

}  // namespace

GuestProcess GuestProcess::start(const GuestCommand& command, const UartEnds& uart) {
    const auto program = find_program(command.arguments.front());
    if (!program) {
        throw BenchTrouble(
            fmt::format("the guest's program {} is not on PATH; install it (Debian has QEMU for ARM in "
                        "package qemu-system-arm)",
                        command.arguments.front()));
    }
    Pipe trace = open_pipe();
    Pipe errors = open_pipe();
    Pipe status = open_pipe();
    ::fcntl(trace.write.get(), F_SETPIPE_SZ, trace_pipe_bytes);
    auto arguments = command.arguments;
    auto environment = environment_with(command.environment);
    const auto argument_pointers = pointers_to(arguments);
    const auto environment_pointers = pointers_to(environment);
    const ChildPlan plan{.program = program->c_str(),
                         .arguments = argument_pointers.data(),
                         .environment = environment_pointers.data(),
                         .tx = uart.tx.get(),
                         .rx = uart.rx.get(),
                         .trace = trace.write.get(),
                         .errors = errors.write.get(),
                         .status = status.write.get(),
                         .parent = ::getpid(),
                         .priority = first_priority(command),
                         .cpus = command.cpus ? &*command.cpus : nullptr};

    GuestProcess guest;
    guest.realtime_ = command.realtime == RealtimeWish::off ? "off" : command.realtime_unwise;
    guest.pid_ = ::fork();
    if (guest.pid_ < 0) throw BenchTrouble(fmt::format("the guest cannot be started: {}", message_of(errno)));
    if (guest.pid_ == 0) become_guest(plan);
    status.write.reset();
    guest.pidfd_ = open_pidfd(guest.pid_);
    if (!guest.pidfd_) throw BenchTrouble(fmt::format("the guest's end cannot be watched: {}", message_of(errno)));

    StatusNote note{};
    while (::read(status.read.get(), &note, sizeof note) == sizeof note) {
        if (note.stage == Stage::exec)
            throw BenchTrouble(fmt::format("{} cannot be run: {}", *program, message_of(note.error)));
        guest.realtime_ = describe_realtime(guest_priority, note.error);
        if (note.error == 0) guest.cpu_threads_ = command.cpu_threads;
    }
    guest.trace_ = std::move(trace.read);
    guest.errors_ = std::move(errors.read);
    set_nonblocking(guest.trace_);
    set_nonblocking(guest.errors_);
    return guest;
}

GuestProcess::~GuestProcess() {
    // Moved-from and ended guests have no pidfd or no pid any more.
    if (pidfd_ && pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

std::string GuestProcess::await_end() {
    // Until it is waited for, its number stands for its process group and for nobody else's.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return text_of_status(status);
}

void GuestProcess::suspend() const {
    if (pid_ > 0) ::kill(-pid_, SIGSTOP);
}

bool GuestProcess::order_threads() const {
    if (cpu_threads_.empty()) return true;
    bool found = false;
    for_each_thread(pid_, [&](int thread, const fs::path& task) {
        if (!name_of_thread(task).starts_with(cpu_threads_)) return;
        set_realtime(thread, guest_priority);
        found = true;
    });
    return found;
}

RunDelays GuestProcess::run_delays() const {
    RunDelays delays;
    for_each_thread(pid_, [&delays](int thread, const fs::path& task) {
        if (const auto delay = run_delay_of(task)) delays.emplace(thread, *delay);
    });
    return delays;
}

std::optional<std::string> find_program(const std::string& name) {
    const auto runs = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
    if (name.find('/') != std::string::npos) return runs(name) ? std::optional(name) : std::nullopt;
    const char* const path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        auto candidate = fmt::format("{}/{}", folder, name);
        if (runs(candidate)) return candidate;
    }
    return std::nullopt;
}

std::string first_line_of(const std::vector<std::string>& arguments) {
    const auto program = find_program(arguments.front());
    if (!program) return {};
    Pipe output = open_pipe();
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDOUT_FILENO);
    auto copies = arguments;
    const auto pointers = pointers_to(copies);
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, program->c_str(), &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return {};
    output.write.reset();
    std::string text;
    std::array<char, 512> buffer{};
    for (ssize_t taken = 0; (taken = ::read(output.read.get(), buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(taken));
    }
    ::waitpid(pid, nullptr, 0);
    return text.substr(0, text.find('\n'));
}

}  // namespace vbench
