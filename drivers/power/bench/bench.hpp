// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/power.hpp"
#include "rig/device/witness.hpp"
#include "rig/lab/station.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/streambuf.hpp>

namespace drivers {

/// A virtual bench that runs as a child of rig, for as long as this object lives. It ends by itself when rig dies: its
/// standard input closes then.
class BenchProcess {
public:
    /// Starts `spec.start` with the bench's faults and waits for its ready line. A BenchError with the bench's own
    /// words when it does not come up; a PlanError when the command cannot be found.
    explicit BenchProcess(const rig::lab::VirtualSpec& spec);
    BenchProcess(const BenchProcess&) = delete;
    BenchProcess& operator=(const BenchProcess&) = delete;
    /// Closes the bench's input, gives it a moment to put everything away, and ends it if it does not.
    ~BenchProcess();

    /// bench.console, bench.control, bench.analyzer_port: what ${…} in a lab file may name.
    [[nodiscard]] const std::map<std::string, std::string>& facts() const { return facts_; }

private:
    int pid_ = -1;
    int input_ = -1;
    int errors_ = -1;
    std::map<std::string, std::string> facts_;
};

/// The bench's control socket: the power switch, and what the bench knows of its own time keeping. Strand only.
class BenchControl final : public rig::device::Power, public rig::device::Witness {
public:
    BenchControl(const boost::asio::any_io_executor& executor, std::string path);

    rig::device::awaitable<void> on(rig::device::Deadline deadline) override;
    rig::device::awaitable<void> off(rig::device::Deadline deadline) override;
    rig::device::awaitable<void> begin(rig::device::Deadline deadline) override;
    rig::device::awaitable<std::string> end(rig::device::Deadline deadline) override;
    rig::device::awaitable<std::string> describe(rig::device::Deadline deadline) override;

private:
    rig::device::awaitable<std::string> ask(std::string command, rig::device::Deadline deadline);

    std::string path_;
    boost::asio::local::stream_protocol::socket socket_;
    boost::asio::streambuf received_;
};

/// Splits a command line at white space; 'single' and "double" quotes keep words together. No shell is involved.
std::vector<std::string> split_command(const std::string& line);

}  // namespace drivers
