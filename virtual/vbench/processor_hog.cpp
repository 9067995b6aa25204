// SPDX-License-Identifier: GPL-3.0-or-later
#include "processor_hog.hpp"

#include "realtime.hpp"

namespace vbench {

namespace {

constexpr int hog_priority = 48;
static_assert(hog_priority < pacer_priority && hog_priority > guest_devices_priority);

/// The priority is given from outside: the thread itself might not get a turn to ask for it.
bool spin_on(std::vector<std::jthread>& threads, std::size_t cpu, nanoseconds length) {
    threads.emplace_back([length](const std::stop_token& stop) {
        const Instant end = now() + length;
        while (now() < end && !stop.stop_requested()) {
        }
    });
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    const pthread_t thread = threads.back().native_handle();
    ::pthread_setaffinity_np(thread, sizeof only, &only);
    sched_param parameters{};
    parameters.sched_priority = hog_priority;
    if (::pthread_setschedparam(thread, SCHED_FIFO, &parameters) == 0) return true;
    threads.back().request_stop();
    return false;
}

}  // namespace

bool ProcessorHog::take(const cpu_set_t& cpus, nanoseconds length) {
    threads_.clear();  // Those of the time before are done or told to be.
    bool all = true;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &cpus)) all = spin_on(threads_, cpu, length) && all;
    }
    return all;
}

}  // namespace vbench
