// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/kernel.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::sim {
namespace {

using std::chrono::nanoseconds;

constexpr std::string_view console_site = "console_emit_next_record";
constexpr std::string_view tick_site = "timer";
constexpr unsigned tick_irq = 20;
constexpr unsigned level_error = 3;  // KERN_ERR

nanoseconds to_ns(picoseconds span) {
    return std::chrono::floor<nanoseconds>(span);
}

}  // namespace

Kernel::Kernel(const SimParameters& parameters, Transmitter& uart) : parameters_(&parameters), uart_(&uart) {}

void Kernel::start(true_time at) {
    log_.clear();
    state_.emplace(State{.started = at,
                         .ticks = TickCounter(parameters_->tick_rate, parameters_->tick_model, parameters_->tick_phase),
                         .recorder = IrqRecorder(parameters_->clock_step),
                         .loglevel = parameters_->console_loglevel,
                         .marker = Arming::disarmed,
                         .halted = false,
                         .free_from = at});
}

void Kernel::stop(true_time at) {
    state_.reset();
    pin_.cut(at, wire::Level::low);
    std::erase_if(printed_, [at](const PrintedRecord& record) { return record.wire_start + record.wire > at; });
}

Kernel::State& Kernel::state() {
    if (!state_) throw RigError("the sim's kernel is asked for something while the board is off");
    return *state_;
}

const Kernel::State& Kernel::state() const {
    if (!state_) throw RigError("the sim's kernel is asked for something while the board is off");
    return *state_;
}

std::optional<true_time> Kernel::printk(unsigned level, std::string_view text, true_time at) {
    at += parameters_->printk_irqs_on;
    const auto since_boot = std::chrono::floor<std::chrono::microseconds>(sched_clock(at).time_since_epoch()).count();
    const auto line = fmt::format("[{:5}.{:06}] {}", since_boot / 1'000'000, since_boot % 1'000'000, text);
    log_ += line + "\n";
    if (level >= state().loglevel) return at;
    PrintedRecord record;
    record.bytes = line + "\r\n";

    settle(at);
    const auto start = std::max(at, state().free_from);
    const auto burst = uart_->print_polled(record.bytes, start + parameters_->printk_before);
    if (!burst) {
        halt(start);
        return std::nullopt;
    }
    record.wire_start = burst->start;
    record.wire = burst->end - burst->start;
    const auto goes_on = end_section(start, burst->in_fifo + parameters_->printk_after, record);
    printed_.push_back(std::move(record));
    return goes_on;
}

std::optional<true_time> Kernel::printk_measured(std::string_view text, std::string_view nonce, true_time at) {
    const auto clock_before = sched_clock(at);
    const auto jiffies_before = jiffies(at);
    const auto already_printed = printed_.size();
    const auto after = printk(level_error, text, at);
    if (!after) return std::nullopt;
    PrintedRecord::Measured measured;
    measured.interval = sched_clock(*after) - clock_before;
    measured.jiffies = Ticks{static_cast<std::int32_t>(jiffies(*after) - jiffies_before)};
    if (printed_.size() > already_printed) {
        auto& record = printed_.back();
        record.nonce = nonce;
        measured.lost = Ticks{static_cast<std::int64_t>(record.ticks_lost)};
        record.measured = measured;
    }
    return printk(level_error,
                  fmt::format("interval={}, jiffies={}", measured.interval.count(), measured.jiffies.count), *after);
}

target_time Kernel::sched_clock(true_time at) const {
    const auto step = parameters_->clock_step.count();
    return target_time{nanoseconds{to_ns(board_time(at)).count() / step * step}};
}

nanoseconds Kernel::uptime(true_time at) const {
    return to_ns(board_time(at));
}

std::uint32_t Kernel::jiffies(true_time at) {
    settle(at);
    const std::uint64_t first = (std::uint64_t{1} << 32U) - 300ULL * parameters_->tick_rate.hz;  // INITIAL_JIFFIES
    return static_cast<std::uint32_t>(first + state().ticks.counted());
}

void Kernel::halt(true_time at) {
    settle(at);
    state().halted = true;
    if (state().marker == Arming::armed) pin_.set(wire::Level::high, std::max(at, state().free_from));
}

void Kernel::settle(true_time at) {
    while (state_ && !state_->halted) {
        const auto due = true_time_of(state_->ticks.next());
        if (due > at) return;
        state_->ticks.deliver();
        tick_interrupt(due);
    }
}

void Kernel::tick_interrupt(true_time at) {
    const auto start = std::max(at, state().free_from) + parameters_->interrupt_entry;
    note_section(start, start + parameters_->tick_handler, tick_site, tick_irq);
}

true_time Kernel::end_section(true_time start, true_time end, PrintedRecord& record) {
    note_section(start, end, console_site, std::nullopt);
    record.irq_off = to_ns(end - start);
    record.irq_off_reported = reported(start, end);
    if (state().marker == Arming::armed) record.marker = record.irq_off;
    const auto late = state().ticks.deliver_late(board_time(end));
    record.ticks_lost = late.lost;
    if (late.due == 0) return end;
    tick_interrupt(end);
    return state().free_from;
}

void Kernel::note_section(true_time start, true_time end, std::string_view site, std::optional<unsigned> irq) {
    state().recorder.record({.site = std::string(site), .irq = irq, .cpu = 0, .duration = reported(start, end)},
                            sched_clock(start));
    state().free_from = end;
    if (state().marker == Arming::disarmed) return;
    pin_.set(wire::Level::high, start);
    pin_.set(wire::Level::low, end);
}

nanoseconds Kernel::reported(true_time start, true_time end) const {
    const auto by_target = sched_clock(end) - sched_clock(start);
    return nanoseconds{std::llround(static_cast<double>(by_target.count()) * parameters_->irq_off_bias)};
}

IrqRecorder& Kernel::irq_latency(true_time at) {
    settle(at);
    return state().recorder;
}

void Kernel::set_marker(Arming arming, true_time at) {
    settle(at);
    state().marker = arming;
}

Arming Kernel::marker() const {
    return state().marker;
}

void Kernel::set_console_loglevel(unsigned level) {
    state().loglevel = level;
}

unsigned Kernel::console_loglevel() const {
    return state().loglevel;
}

picoseconds Kernel::board_time(true_time at) const {
    return shown(at - state().started, RateError::of_ppm(parameters_->target_ppm));
}

true_time Kernel::true_time_of(picoseconds board) const {
    return state().started + true_span(board, RateError::of_ppm(parameters_->target_ppm));
}

}  // namespace rig::sim
