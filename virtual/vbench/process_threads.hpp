// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <system_error>

#include <fmt/format.h>

namespace vbench {

/// Calls `visit(thread id, its folder in /proc)` for each thread of a process; for none when there is no such process.
template <typename Visit>
void for_each_thread(pid_t pid, const Visit& visit) {
    namespace fs = std::filesystem;
    std::error_code ended;
    for (fs::directory_iterator task(fmt::format("/proc/{}/task", pid), ended), end; !ended && task != end;
         task.increment(ended)) {
        const std::string name = task->path().filename().string();
        int thread = 0;
        std::from_chars(name.data(), name.data() + name.size(), thread);
        visit(thread, task->path());
    }
}

}  // namespace vbench
