// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace vbench {

/// The bench cannot do its work: a program, a file or a system resource is missing. One sentence; exit code 3.
class BenchTrouble : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The command line asks for something that makes no sense. One sentence; exit code 4.
class UsageTrouble : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr int exit_bench_trouble = 3;
inline constexpr int exit_usage_trouble = 4;

}  // namespace vbench
