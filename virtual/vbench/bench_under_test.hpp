// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"
#include "unique_fd.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include <nlohmann/json.hpp>

namespace vbench {

/// No step of an end-to-end test waits longer than this; generous, since the machine may be busy with other tests.
inline constexpr std::chrono::seconds step_limit{30};

/// A connection whose reads are bounded by `step_limit`.
class TestClient {
public:
    static TestClient to_unix_socket(const std::string& path);
    /// The descriptor is invalid when the connection is refused.
    static TestClient to_port(std::uint16_t port);

    [[nodiscard]] bool connected() const { return static_cast<bool>(fd_); }
    void send(std::string_view text) const;
    /// Reads until `end` has come, and gives everything up to and including it; what came so far when the peer closes.
    std::string read_until(std::string_view end);
    /// Reads `size` bytes, or fewer when the peer closes.
    std::string read(std::size_t size);
    /// Whether the peer closes the connection, with nothing left to read.
    bool closed_by_peer();

private:
    explicit TestClient(UniqueFd fd) : fd_(std::move(fd)) {}
    bool receive();

    UniqueFd fd_;
    std::string received_;
};

/// Watches a process that is not ours; made while it lives.
class ProcessWatch {
public:
    explicit ProcessWatch(pid_t pid);
    /// Waits for its end, bounded.
    [[nodiscard]] bool ends() const;

private:
    UniqueFd pidfd_;
};

/// A rig-vbench in a process of its own; killed at the end when it still runs.
class BenchUnderTest {
public:
    explicit BenchUnderTest(const std::vector<std::string>& arguments);
    ~BenchUnderTest();
    BenchUnderTest(const BenchUnderTest&) = delete;
    BenchUnderTest& operator=(const BenchUnderTest&) = delete;

    /// The first line on standard output; null when there was none.
    [[nodiscard]] const nlohmann::json& ready() const { return ready_; }
    [[nodiscard]] TestClient console() const { return TestClient::to_unix_socket(ready_.at("console")); }
    [[nodiscard]] TestClient analyzer() const { return TestClient::to_port(ready_.at("analyzer_port")); }
    [[nodiscard]] std::filesystem::path folder() const;

    /// Sends a command to the control socket and gives its answer.
    nlohmann::json control(std::string_view command);

    void signal(int number) const;
    void close_stdin() { stdin_.reset(); }

    /// Waits for its end, bounded: the exit code, or minus the signal's number.
    int exit_code();
    /// What it wrote to standard error, once it has ended.
    std::string errors();

private:
    pid_t pid_ = -1;
    UniqueFd stdin_;
    UniqueFd stdout_;
    UniqueFd stderr_;
    nlohmann::json ready_;
    std::optional<TestClient> control_;
};

}  // namespace vbench
