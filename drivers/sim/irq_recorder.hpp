// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/target/irq_latency.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rig::sim {

/// The irq_latency patch's memory and its two files, of a target with one CPU. The grammar is that of
/// firmware-target/README.md, read back by rig/target/irq_latency.hpp.
class IrqRecorder {
public:
    explicit IrqRecorder(std::chrono::nanoseconds clock_step) : clock_step_(clock_step) {}

    void record(target::IrqOffSection section, target_time start);
    /// A write to /proc/irq_latency ("reset", "filter N"); false when the patch would refuse it.
    bool command(std::string_view text);

    [[nodiscard]] std::string worst_file() const;
    [[nodiscard]] std::string events_file() const;

private:
    static constexpr std::size_t worst_kept = 20;
    static constexpr std::size_t events_kept = 256;

    std::chrono::nanoseconds clock_step_;
    std::uint64_t filter_us_ = 0;
    std::uint64_t sequence_ = 0;
    std::uint64_t dropped_ = 0;
    std::vector<target::IrqOffSection> worst_;
    std::deque<target::IrqOffEvent> events_;
};

}  // namespace rig::sim
