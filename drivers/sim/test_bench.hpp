// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/sim_station.hpp"
#include "rig/console/byte_log.hpp"
#include "rig/console/shell.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace rig::sim {

/// Keeps the samples of a capture.
class KeptSamples final : public device::CaptureSink {
public:
    void samples(std::span<const std::byte> block) override {
        bytes.insert(bytes.end(), block.begin(), block.end());
        blocks.push_back(block.size());
    }

    std::vector<std::byte> bytes;
    std::vector<std::size_t> blocks;
};

/// For the tests: a station with its clock, driven by blocking calls.
class TestBench {
public:
    explicit TestBench(SimParameters parameters = {});
    ~TestBench();
    TestBench(const TestBench&) = delete;
    TestBench& operator=(const TestBench&) = delete;

    void open_console();
    void power_on();
    void power_off();
    /// Opens, powers and waits for the prompt.
    void boot();
    void type(std::string_view text);
    /// Types a command framed as the engine does and gives its reply.
    console::Reply command(std::string_view command);
    console::Reply file(std::string_view path);
    /// Lets virtual time pass.
    void pass(std::chrono::nanoseconds span);
    /// Waits until the console said this after `from`.
    void expect(std::string_view text, std::size_t from = 0);

    std::unique_ptr<device::Capture> start_capture(KeptSamples& samples, std::uint64_t count,
                                                   SampleRate rate = SampleRate{2'000'000});
    device::CaptureEnd finish(device::Capture& capture, std::chrono::nanoseconds within = std::chrono::seconds{10});

    [[nodiscard]] host_time in(std::chrono::nanoseconds span) const { return clock.now() + span; }

    console::ByteLog log;
    boost::asio::io_context io;
    SimClock clock;
    SimStation station;

private:
    console::Reply reply_to(std::string_view line, std::string_view tag);

    unsigned commands_ = 0;
};

}  // namespace rig::sim
