// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_witness.hpp"

#include "rig/error.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace rig::sim {
namespace {

using json = nlohmann::ordered_json;
using std::chrono::nanoseconds;

constexpr std::size_t most_delays_listed = 64;

std::int64_t ns_of(picoseconds span) {
    return std::chrono::round<nanoseconds>(span).count();
}

struct DelaySum {
    picoseconds longest{0};
    picoseconds total{0};
};

DelaySum sum_of(std::span<const Delay> delays) {
    DelaySum sum;
    for (const auto& delay : delays) {
        sum.longest = std::max(sum.longest, delay.length);
        sum.total += delay.length;
    }
    return sum;
}

/// The first delays one by one, their length under `key`.
json list_of(std::span<const Delay> delays, const char* key) {
    auto list = json::array();
    for (const auto& delay : delays) {
        if (delay.since_capture && list.size() < most_delays_listed)
            list.push_back(
                {{"since_capture_ns", ns_of(*delay.since_capture)}, {key, ns_of(delay.length)}, {"gap_ns", 0}});
    }
    return list;
}

json pacer_json(std::span<const Delay> slips, std::uint64_t bytes) {
    const auto sum = sum_of(slips);
    return {{"bytes", bytes},
            {"slips", slips.size()},
            {"slip_max_ns", ns_of(sum.longest)},
            {"slip_total_ns", ns_of(sum.total)},
            {"slip_at", list_of(slips, "slip_ns")}};
}

json guest_json(std::span<const Delay> holds) {
    const auto sum = sum_of(holds);
    return {{"run_delay_ns", ns_of(sum.total)},
            {"holds", holds.size()},
            {"major_faults", 0},
            {"hold_max_ns", ns_of(sum.longest)},
            {"hold_at", list_of(holds, "hold_ns")},
            {"threads", 1}};
}

}  // namespace

SimWitness::SimWitness(SimClock& clock, const SimParameters& parameters, WitnessedParts parts)
    : clock_(&clock), parameters_(&parameters), parts_(parts) {}

device::awaitable<void> SimWitness::begin(device::Deadline) {
    window_ = Window{.from = clock_->now(),
                     .bytes = bytes(),
                     .slips = parts_.uart.slips().size(),
                     .holds = parts_.uart.holds().size(),
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
    report["guest"] = guest_json(std::span(parts_.uart.holds()).subspan(window.holds));
    if (parts_.faults.in_capture(FaultKind::guest_paged, parts_.analyzer.captures().size()))
        report["guest"]["major_faults"] = 1;
    const auto edges = marker_edges(window.from, now);
    const bool late = parts_.faults.in_capture(FaultKind::pin_late, parts_.analyzer.captures().size()).has_value();
    report["marker"]["edges"] = edges;
    report["marker"]["late_events"] = late ? edges : 0;
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

}  // namespace rig::sim
