// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/power/bench/bench.hpp"
#include "rig/error.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace drivers {
namespace {

using namespace std::chrono_literals;
using rig::BenchError;
using rig::PlanError;
namespace fs = std::filesystem;

constexpr auto ready_time = 30s;
constexpr auto leave_time = 5s;

struct Pipe {
    int read = -1;
    int write = -1;
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw BenchError(fmt::format("no pipe: {}", std::strerror(errno)));
        read = ends[0];
        write = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
    int take(int& end) { return std::exchange(end, -1); }
};

/// The program of that name: beside rig itself, where a build puts both, or wherever PATH has it.
std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    std::error_code code;
    const auto self = fs::read_symlink("/proc/self/exe", code);
    if (!code) {
        for (const auto& folder : {self.parent_path(), self.parent_path() / "../virtual", self.parent_path() / ".."}) {
            const auto candidate = folder / name;
            if (fs::is_regular_file(candidate, code)) return candidate.lexically_normal().string();
        }
    }
    return name;
}

/// Reads until the first line ending; what came by then when the time runs out or the other end closes.
std::string read_line(int descriptor, std::chrono::steady_clock::time_point until) {
    std::string text;
    while (text.find('\n') == std::string::npos) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd waiting{descriptor, POLLIN, 0};
        if (left <= 0ms || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) break;
        std::array<char, 4096> block{};
        const auto count = ::read(descriptor, block.data(), block.size());
        if (count <= 0) break;
        text.append(block.data(), static_cast<std::size_t>(count));
    }
    return text;
}

/// A file in memory for the bench's standard error: unlike a pipe it never blocks or ends the bench's writing.
int make_error_file() {
    const int descriptor = ::memfd_create("bench-errors", MFD_CLOEXEC);
    if (descriptor < 0) throw BenchError(fmt::format("no memory file: {}", std::strerror(errno)));
    return descriptor;
}

/// What a failed bench said, as one sentence.
std::string last_words(int descriptor) {
    std::array<char, 4096> block{};
    const auto count = ::pread(descriptor, block.data(), block.size(), 0);
    std::string text(block.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    for (char& c : text) c = c == '\n' ? ';' : c;
    return text;
}

int spawn(const std::vector<std::string>& words, int input, int output, int errors) {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    // A group of its own: Ctrl-C on rig's terminal must reach rig alone, which then switches the board off.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid = -1;
    const int code = ::posix_spawnp(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0)
        throw PlanError(fmt::format("the bench '{}' cannot be started: {}", words.front(), std::strerror(code)),
                        "check virtual.start in the lab file; rig-vbench is built beside rig");
    return pid;
}

/// Waits for a bench that was told to end, and ends it by force when its time is over; its status as waitpid gives it.
int await_end(pid_t pid) {
    const auto until = std::chrono::steady_clock::now() + leave_time;
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > until) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, &status, 0);
            break;
        }
        std::this_thread::sleep_for(5ms);
    }
    return status;
}

/// What a bench says when it is ready; nothing where the line is none of a bench's.
std::optional<std::map<std::string, std::string>> facts_of(const std::string& line) {
    try {
        const auto ready = nlohmann::json::parse(line);
        if (!ready.at("ready").get<bool>()) return std::nullopt;
        return std::map<std::string, std::string>{
            {"bench.console", ready.at("console").get<std::string>()},
            {"bench.control", ready.at("control").get<std::string>()},
            {"bench.analyzer_port", std::to_string(ready.at("analyzer_port").get<unsigned>())}};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<std::string> split_command(const std::string& line) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    char quote = 0;
    for (const char c : line) {
        if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                *word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            if (!word) word.emplace();
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (word) words.push_back(*std::exchange(word, std::nullopt));
        } else {
            if (!word) word.emplace();
            *word += c;
        }
    }
    if (quote != 0) throw PlanError(fmt::format("virtual.start has an open quote: {}", line));
    if (word) words.push_back(*word);
    if (words.empty()) throw PlanError("virtual.start is empty", "try start: rig-vbench --firmware versatilepb-6.1");
    return words;
}

BenchProcess::BenchProcess(const rig::lab::VirtualSpec& spec) {
    auto words = split_command(spec.start);
    words.front() = find_program(words.front());
    words.emplace_back("--until-stdin-closes");
    for (const auto& fault : spec.faults) {
        words.emplace_back("--fault");
        words.push_back(fault);
    }
    Pipe input;
    Pipe output;
    errors_ = make_error_file();
    pid_ = spawn(words, input.read, output.write, errors_);
    input_ = input.take(input.write);
    ::close(output.take(output.write));

    const auto line = read_line(output.read, std::chrono::steady_clock::now() + ready_time);
    if (auto facts = facts_of(line)) {
        facts_ = std::move(*facts);
        return;
    }
    ::kill(pid_, SIGTERM);
    const int status = await_end(pid_);
    ::close(input_);
    const auto words_said = last_words(errors_);
    ::close(errors_);
    const auto what = fmt::format("the bench '{}' did not come up: {}", spec.start,
                                  !words_said.empty() ? words_said
                                  : line.empty()      ? "it said nothing"
                                                      : "its first line is none of a bench's: " + line.substr(0, 200));
    if (WIFEXITED(status) && WEXITSTATUS(status) == rig::exit_code_of(rig::Culprit::plan)) throw PlanError(what);
    throw BenchError(what);
}

BenchProcess::~BenchProcess() {
    ::close(input_);
    ::close(errors_);
    await_end(pid_);
}

}  // namespace drivers
