// SPDX-License-Identifier: GPL-3.0-or-later
#include "processor_vigil.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vbench {
namespace {

namespace fs = std::filesystem;

/// The threads of this process that bear a name.
std::vector<int> threads_named(const std::string& wanted) {
    std::vector<int> found;
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
        std::ifstream comm(task.path() / "comm");
        std::string name;
        if (std::getline(comm, name) && name == wanted) found.push_back(std::stoi(task.path().filename().string()));
    }
    return found;
}

cpu_set_t one_processor() {
    cpu_set_t allowed;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        CPU_SET(cpu, &one);
        break;
    }
    return one;
}

TEST(ProcessorVigil, RunsOnlyWhereNobodyElseWantsTo) {
    ProcessorVigil vigil(one_processor());
    vigil.watch_until(now() + std::chrono::hours(1));
    // A thread has its name and its class as soon as it has run at all.
    std::vector<int> threads;
    while (threads.empty() || ::sched_getscheduler(threads.front()) != SCHED_IDLE) threads = threads_named("vigil");
    EXPECT_EQ(threads.size(), 1U);
}

TEST(ProcessorVigil, EndsInTheMiddleOfAWatch) {
    {
        ProcessorVigil vigil(one_processor());
        vigil.watch_until(now() + std::chrono::hours(1));
        vigil.watch_until(now() + std::chrono::hours(2));
    }
    EXPECT_TRUE(threads_named("vigil").empty());
}

TEST(ProcessorVigil, EndsAsleepToo) {
    {
        ProcessorVigil vigil(one_processor());
    }
    EXPECT_TRUE(threads_named("vigil").empty());
}

}  // namespace
}  // namespace vbench
