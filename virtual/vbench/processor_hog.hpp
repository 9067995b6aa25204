// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"

#include <sched.h>
#include <stop_token>
#include <thread>
#include <vector>

namespace vbench {

/// Takes the guest's processors from it for a while, with a priority above the guest's: a deliberate scheduling delay.
class ProcessorHog {
public:
    /// Spins on each of `cpus` for `length`, from now on. Returns at once. False when real-time priority is refused, so
    /// that nothing can be taken from a guest.
    bool take(const cpu_set_t& cpus, nanoseconds length);

private:
    std::vector<std::jthread> threads_;
};

}  // namespace vbench
