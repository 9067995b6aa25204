// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/engine/target_accounts.hpp"

#include "rig/target/timer_list.hpp"
#include "rig/target/trace_events.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rig::engine {
namespace {

using plan::TargetFeature;

/// Sections shorter than this are dropped on the target: everything comes back over the wire that is measured. Half a
/// tick at HZ=1000 loses none, no record is as short as six frames, and on a slow wire each character that is echoed
/// can be a section of one frame.
std::chrono::microseconds shortest_section(Baud baud) {
    constexpr std::int64_t half_a_tick_us = 500;
    const std::int64_t frame_us = 10'000'000 / std::int64_t{baud.value};
    return std::chrono::microseconds{std::max(frame_us, std::min(half_a_tick_us, 6 * frame_us))};
}

TargetAccount irq_latency(Baud baud) {
    return {
        .feature = TargetFeature::irq_latency,
        .set_up = fmt::format("echo filter {} >/proc/irq_latency", shortest_section(baud).count()),
        .look = {"cat /proc/irq_latency", "irq_latency"},
        .reset = "echo reset >/proc/irq_latency",
        // The events first: reading a file prints, and printing is sections.
        .collect = {{"cat /proc/irq_latency_events", "irq_latency_events"}, {"cat /proc/irq_latency", "irq_latency"}},
        .leave = "echo filter 0 >/proc/irq_latency"};
}

TargetAccount printk_test() {
    return {.feature = TargetFeature::printk_test, .look = {"cat /proc/printk_test", "printk_test"}};
}

/// Armed around the stimulus only: the pin follows every section, also the thousands that typing causes.
TargetAccount marker() {
    return {.feature = TargetFeature::marker,
            .look = {"cat /proc/irq_marker", "irq_marker"},
            .arm = "echo 1 >/proc/irq_marker",
            .disarm = "echo 0 >/proc/irq_marker"};
}

/// A second of idle time between two readings tells HZ.
TargetAccount timer_list() {
    const auto reading = fmt::format("grep {} /proc/timer_list", target::tick_reading_patterns);
    const std::string first = "/tmp/rig.ticks0";
    const std::string before = "/tmp/rig.ticks1";
    const std::string after = "/tmp/rig.ticks2";
    return {.feature = TargetFeature::timer_list,
            .set_up = fmt::format("{} >{}", reading, first),
            .settle = std::chrono::seconds{1},
            .look = {fmt::format("grep -h {} {} {} /proc/timer_list", target::tick_reading_patterns,
                                 target::tick_device_patterns, first),
                     "timer_list"},
            .arm = fmt::format("{} >{}", reading, before),
            .disarm = fmt::format("{} >{}", reading, after),
            .collect = {{fmt::format("cat {} {}", before, after), "timer_list"}},
            .leave = fmt::format("rm -f {} {} {}", first, before, after)};
}

TargetAccount preemptirq(Baud baud) {
    const std::string tracefs = "/sys/kernel/tracing";
    const std::string events = tracefs + "/events";
    const std::string filter = "/tmp/rig.awk";
    const auto switch_events = [&](int to) {
        return fmt::format(
            "echo {0} >{1}/preemptirq/irq_disable/enable && echo {0} >{1}/preemptirq/irq_enable/enable "
            "&& echo {0} >{1}/irq/irq_handler_entry/enable",
            to, events);
    };
    return {.feature = TargetFeature::preemptirq,
            .set_up = fmt::format("test -e {0}/trace || mount -t tracefs tracefs {0}; echo 0 >{0}/tracing_on && "
                                  "echo nop >{0}/current_tracer && echo local >{0}/trace_clock && echo '{1}' >{2} && "
                                  "awk -f {2} /dev/null && {3}",
                                  tracefs, target::section_filter(shortest_section(baud)), filter, switch_events(1)),
            .look = {fmt::format("cat {}/preemptirq/irq_disable/format", events), "preemptirq"},
            .reset = fmt::format("echo >{}/trace", tracefs),
            .arm = fmt::format("echo 1 >{}/tracing_on", tracefs),
            .disarm = fmt::format("echo 0 >{}/tracing_on", tracefs),
            .collect = {{fmt::format("awk -f {} {}/trace", filter, tracefs), "trace"}},
            .leave = fmt::format("{}; rm -f {}", switch_events(0), filter)};
}

}  // namespace

std::vector<TargetAccount> target_accounts(Baud baud) {
    return {timer_list(), printk_test(), irq_latency(baud), preemptirq(baud), marker()};
}

std::vector<TargetOutput> general_outputs() {
    return {
        {"cat /proc/version", "version"},
        {"cat /proc/cmdline", "cmdline"},
        {"cat /proc/uptime", "uptime"},
        {"cat /proc/consoles", "consoles"},
        {"cat /proc/sys/kernel/printk", "printk"},
        {"id -u", "uid"},
        {"stty speed", "tty_speed"},
        {"cat /sys/kernel/tracing/available_tracers", "available_tracers"},
        {"cat /sys/module/printk/parameters/time /sys/module/printk/parameters/ignore_loglevel", "printk_parameters"},
        {"zcat /proc/config.gz | grep -E '^CONFIG_(HZ|HIGH_RES_TIMERS|NO_HZ_IDLE|PREEMPT|PREEMPT_RT|PRINTK_CALLER)='",
         "kernel_config"},
        {"ls -d /sys/class/tty/*/device/of_node/dmas", "uart_dma"},
        {"ps | grep '[[]pr/'", "printk_threads"},
    };
}

}  // namespace rig::engine
