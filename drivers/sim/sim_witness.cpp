// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_witness.hpp"

#include "rig/error.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace rig::sim {
namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

constexpr std::size_t most_slips_listed = 64;

std::int64_t ns_of(picoseconds span) {
    return std::chrono::round<nanoseconds>(span).count();
}

json pacer_json(std::span<const Slip> slips, std::uint64_t bytes) {
    picoseconds longest{0};
    picoseconds total{0};
    auto list = json::array();
    for (const auto& slip : slips) {
        longest = std::max(longest, slip.length);
        total += slip.length;
        if (slip.since_capture && list.size() < most_slips_listed)
            list.push_back({{"since_capture_ns", ns_of(*slip.since_capture)}, {"slip_ns", ns_of(slip.length)}});
    }
    return {{"bytes", bytes},
            {"slips", slips.size()},
            {"slip_max_ns", ns_of(longest)},
            {"slip_total_ns", ns_of(total)},
            {"slip_at", list}};
}

}  // namespace

SimWitness::SimWitness(SimClock& clock, const SimParameters& parameters, const FaultBoard& faults, WitnessedParts parts)
    : clock_(&clock), parameters_(&parameters), faults_(&faults), parts_(parts) {}

device::awaitable<void> SimWitness::begin(device::Deadline) {
    window_ = Window{.from = clock_->now(),
                     .bytes = bytes(),
                     .slips = parts_.uart.slips().size(),
                     .captures = parts_.analyzer.captures().size(),
                     .samples = parts_.analyzer.samples_delivered()};
    co_return;
}

device::awaitable<std::string> SimWitness::end(device::Deadline) {
    if (!window_) throw RigError("the sim's witness is asked for a window that was never begun");
    const auto window = *window_;
    window_.reset();
    const auto now = clock_->now();
    const auto slips = std::span(parts_.uart.slips()).subspan(window.slips);
    json report;
    report["ok"] = true;
    report["duration_ns"] = (now - window.from).count();
    report["pacer"] = pacer_json(slips, bytes() - window.bytes);
    report["guest"]["run_delay_ns"] = run_delay().count();
    report["guest"]["threads"] = 1;
    report["marker"]["edges"] = marker_edges(window.from, now);
    report["marker"]["late_events"] = 0;
    report["analyzer"]["captures"] = parts_.analyzer.captures().size() - window.captures;
    report["analyzer"]["samples"] = parts_.analyzer.samples_delivered() - window.samples;
    report["analyzer"]["behind_max_ns"] = 0;
    report["realtime"]["pacer"] = "virtual time";
    report["realtime"]["guest"] = "virtual time";
    co_return report.dump();
}

device::awaitable<std::string> SimWitness::describe(device::Deadline) {
    json report;
    report["ok"] = true;
    report["bench"] = "sim";
    report["seed"] = parameters_->seed;
    report["baud"] = parameters_->baud.value;
    report["baud_error_ppm"] = parameters_->baud_error_ppm;
    report["bit_ps"] = parts_.tx.bit().count();
    report["analyzer_ppm"] = parameters_->analyzer_ppm;
    report["target_ppm"] = parameters_->target_ppm;
    report["hz"] = parameters_->tick_rate.hz;
    report["tick_model"] = target::name_of(parameters_->tick_model);
    report["fifo"] = parameters_->fifo;
    report["kernel"] = parameters_->kernel_release;
    co_return report.dump();
}

std::uint64_t SimWitness::marker_edges(host_time from, host_time to) const {
    parts_.board.kernel().settle(true_of(to));
    const auto& pin = parts_.board.kernel().marker_pin();
    return pin.first_at(true_of(to)) - pin.first_at(true_of(from));
}

nanoseconds SimWitness::run_delay() const {
    const auto held = faults_->in_capture(FaultKind::guest_held, parts_.uart.capture().number);
    return parameters_->guest_run_delay + std::chrono::milliseconds{held ? held->ms.value_or(0) : 0};
}

}  // namespace rig::sim
