// SPDX-License-Identifier: GPL-3.0-or-later
#include "realtime.hpp"

#include <sched.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace vbench {

int ask_for_realtime(int priority) {
    sched_param parameters{};
    parameters.sched_priority = priority;
    return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno;
}

std::string describe_realtime(int priority, int error) {
    if (error == 0) return fmt::format("fifo {}", priority);
    return fmt::format("refused: {}", std::generic_category().message(error));
}

}  // namespace vbench
