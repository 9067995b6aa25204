// SPDX-License-Identifier: GPL-3.0-or-later
#include "realtime.hpp"

#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

namespace vbench {

std::optional<ProcessorSplit> ProcessorSplit::of_this_process() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::nullopt;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) cpus.push_back(cpu);
    }
    if (cpus.size() < 2) return std::nullopt;
    const int own = cpus[static_cast<std::size_t>(::getpid()) % cpus.size()];
    ProcessorSplit split{.pacer_cpu = own, .pacer = {}, .guest = allowed};
    CPU_SET(static_cast<std::size_t>(own), &split.pacer);
    CPU_CLR(static_cast<std::size_t>(own), &split.guest);
    return split;
}

int ask_for_realtime(int priority, const cpu_set_t* cpus) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) return errno;
    if (cpus != nullptr) sched_setaffinity(0, sizeof *cpus, cpus);
    return 0;
}

int ask_for_realtime_alone(int priority) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

void set_realtime(int thread, int priority) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    sched_setscheduler(thread, SCHED_FIFO, &parameters);
}

std::string describe_realtime(int priority, int error) {
    if (error == 0) return fmt::format("fifo {}", priority);
    return fmt::format("refused: {}", std::generic_category().message(error));
}

}  // namespace vbench
