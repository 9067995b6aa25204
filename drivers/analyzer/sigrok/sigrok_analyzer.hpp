// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/analyzer.hpp"

#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

namespace drivers {

/// Any logic analyzer that libsigrok has a driver for. libsigrok runs a GLib loop that may block or spin, so it lives
/// on a thread of its own; samples are copied and posted to the strand. A watchdog frees that thread when a driver does
/// not come back, by taking its transport away, and gives it up when even that does not help.
class SigrokAnalyzer final : public rig::device::Analyzer {
public:
    /// `driver` is libsigrok's own notation: "fx2lafw", "beaglelogic:conn=tcp/127.0.0.1/5555". `clock` must outlive it.
    SigrokAnalyzer(boost::asio::any_io_executor executor, rig::device::Clock& clock, std::string driver);
    ~SigrokAnalyzer() override;

    rig::device::awaitable<rig::device::AnalyzerIdentity> open(rig::device::Deadline deadline) override;
    rig::device::awaitable<std::unique_ptr<rig::device::Capture>> start(rig::device::CaptureRequest request,
                                                                        rig::device::CaptureSink& sink,
                                                                        rig::device::Deadline deadline) override;

private:
    class Worker;
    boost::asio::any_io_executor executor_;
    rig::device::Clock& clock_;
    std::string driver_;
    std::shared_ptr<Worker> worker_;
};

}  // namespace drivers
