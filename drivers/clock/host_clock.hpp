// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <boost/asio/any_io_executor.hpp>

namespace drivers {

/// The lab host's CLOCK_MONOTONIC, with timers on an executor.
class HostClock final : public rig::device::Clock {
public:
    explicit HostClock(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
    [[nodiscard]] rig::host_time now() const override;
    [[nodiscard]] std::unique_ptr<rig::device::Timer> make_timer() override;

private:
    boost::asio::any_io_executor executor_;
};

}  // namespace drivers
