// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_under_test.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

namespace vbench {

namespace {

bool readable(int fd) {
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(step_limit).count())) > 0;
}

template <typename Address>
UniqueFd connect_to(int family, const Address& address) {
    UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fd.reset();
    return fd;
}

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

Pipe open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("the test has no pipe");
    return {.read = UniqueFd(ends[0]), .write = UniqueFd(ends[1])};
}

std::string read_line(int fd) {
    std::string line;
    char byte = 0;
    while (readable(fd) && ::read(fd, &byte, 1) == 1 && byte != '\n') line.push_back(byte);
    return line;
}

}  // namespace

TestClient TestClient::to_unix_socket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy_n(path.c_str(), std::min(path.size(), sizeof address.sun_path - 1), std::begin(address.sun_path));
    return TestClient(connect_to(AF_UNIX, address));
}

TestClient TestClient::to_port(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return TestClient(connect_to(AF_INET, address));
}

void TestClient::send(std::string_view text) const {
    [[maybe_unused]] const ssize_t sent = ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

bool TestClient::receive() {
    std::array<char, 1U << 16> buffer{};
    if (!readable(fd_.get())) return false;
    const ssize_t size = ::recv(fd_.get(), buffer.data(), buffer.size(), 0);
    if (size <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(size));
    return true;
}

std::string TestClient::read_until(std::string_view end) {
    std::size_t found = std::string::npos;
    while ((found = received_.find(end)) == std::string::npos && receive()) {
    }
    return read(found == std::string::npos ? received_.size() : found + end.size());
}

std::string TestClient::read(std::size_t size) {
    while (received_.size() < size && receive()) {
    }
    std::string taken = received_.substr(0, size);
    received_.erase(0, taken.size());
    return taken;
}

bool TestClient::closed_by_peer() {
    if (!received_.empty() || !readable(fd_.get())) return false;
    char byte = 0;
    return ::recv(fd_.get(), &byte, 1, 0) <= 0;
}

ProcessWatch::ProcessWatch(pid_t pid) : pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

bool ProcessWatch::ends() const {
    return !pidfd_ || readable(pidfd_.get());
}

BenchUnderTest::BenchUnderTest(const std::vector<std::string>& arguments) {
    Pipe in = open_pipe();
    Pipe out = open_pipe();
    Pipe err = open_pipe();
    std::vector<std::string> all{RIG_VBENCH};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(in.read.get(), STDIN_FILENO);
        ::dup2(out.write.get(), STDOUT_FILENO);
        ::dup2(err.write.get(), STDERR_FILENO);
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }
    stdin_ = std::move(in.write);
    stdout_ = std::move(out.read);
    stderr_ = std::move(err.read);
    out.write.reset();
    ready_ = nlohmann::json::parse(read_line(stdout_.get()), nullptr, false);
    if (ready_.is_discarded()) ready_ = nullptr;
}

BenchUnderTest::~BenchUnderTest() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    exit_code();
}

std::filesystem::path BenchUnderTest::folder() const {
    return std::filesystem::path(ready_.at("console").get<std::string>()).parent_path();
}

nlohmann::json BenchUnderTest::control(std::string_view command) {
    if (!control_) control_.emplace(TestClient::to_unix_socket(ready_.at("control")));
    control_->send(std::string(command) + "\n");
    return nlohmann::json::parse(control_->read_until("\n"), nullptr, false);
}

void BenchUnderTest::signal(int number) const {
    ::kill(pid_, number);
}

int BenchUnderTest::exit_code() {
    if (!ProcessWatch(pid_).ends()) ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string BenchUnderTest::errors() {
    std::string text;
    std::array<char, 1024> buffer{};
    for (ssize_t size = 0;
         readable(stderr_.get()) && (size = ::read(stderr_.get(), buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return text;
}

}  // namespace vbench
