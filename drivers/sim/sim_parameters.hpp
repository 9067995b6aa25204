// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "rig/target/printk_test.hpp"
#include "rig/time/units.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rig::sim {

/// What the target offers, or does not.
enum class Presence { present, absent };

/// All that the sim is made of. Nothing else influences it, so two sims of equal parameters that are driven alike are
/// equal to the byte.
struct SimParameters {
    std::uint64_t seed = 1;  ///< of the frame jitter

    // The wire.
    Baud baud{115200};                         ///< nominal; the host types at exactly this rate
    double baud_error_ppm = 0;                 ///< how much faster than nominal the board's UART sends
    std::chrono::nanoseconds frame_jitter{0};  ///< σ of a frame's lateness; half-normal, it adds up as real gaps do
    std::chrono::nanoseconds host_latency{0};  ///< from a frame's stop bit to its byte at the host

    // The analyzer, probes D0 tx, D1 rx, D2 marker, D3 heartbeat.
    double analyzer_ppm = 0;  ///< how much faster than true its clock runs
    SampleRate analyzer_rate_limit{24'000'000};
    std::chrono::nanoseconds analyzer_start{
        std::chrono::milliseconds{2}};  ///< from the start command to the first sample
    std::chrono::nanoseconds analyzer_block{std::chrono::milliseconds{10}};  ///< span of the samples delivered at once
    Presence heartbeat = Presence::present;  ///< 1 kHz square wave on the analyzer's own clock, high at sample 0

    // The target's clocks.
    double target_ppm = 0;                    ///< how much faster than true its oscillator runs
    std::chrono::nanoseconds clock_step{41};  ///< smallest step of sched_clock
    TickRate tick_rate{1000};
    target::TickModel tick_model = target::TickModel::one_per_interrupt;
    std::chrono::nanoseconds tick_phase{std::chrono::microseconds{300}};  ///< of the first tick after power-on
    std::chrono::nanoseconds interrupt_entry{
        std::chrono::microseconds{2}};                                    ///< from a tick that may come to its handler
    std::chrono::nanoseconds tick_handler{std::chrono::microseconds{8}};  ///< how long the handler keeps IRQs off

    // What a record costs besides its frames.
    unsigned fifo = 0;        ///< frames still unsent when IRQs come back on: the part of the FIFO that the driver uses
    unsigned uart_fifo = 16;  ///< frames of terminal output that are in the UART already and go out before a record
    std::chrono::nanoseconds printk_irqs_on{std::chrono::microseconds{20}};  ///< in the call, before IRQs go off
    std::chrono::nanoseconds printk_before{std::chrono::microseconds{60}};   ///< from IRQs off to the first start bit
    std::chrono::nanoseconds printk_after{std::chrono::microseconds{30}};    ///< from the last byte to IRQs on
    std::chrono::nanoseconds command_time{
        std::chrono::microseconds{500}};  ///< for the shell to begin each command of a line

    // The target's instruments.
    double irq_off_bias = 1;  ///< factor on each duration that irq_latency reports: a kernel that lies
    Presence irq_latency = Presence::present;
    Presence printk_test = Presence::present;
    Presence marker = Presence::present;
    Presence timer_list = Presence::present;
    Presence checksum = Presence::present;  ///< md5sum

    // The target as it presents itself.
    std::chrono::nanoseconds boot_time{std::chrono::milliseconds{800}};  ///< from power-on to the prompt
    std::string kernel_release = "6.1.140";
    std::string machine = "armv5tejl";
    std::string prompt = "~ # ";
    /// Who may log in, and whether that is needed at all; the shell is root's where nobody is named.
    struct Account {
        std::string user;
        std::string password;
        unsigned uid = 1000;
    };
    std::optional<Account> login{};
    std::string consoles = "ttyAMA0              -W- (EC p a)  204:64\n";  ///< /proc/consoles
    std::string boot_words{};  ///< further words of the kernel's command line
    /// What the console reads of firmware that talks at another rate, before the kernel does.
    std::string firmware_noise{};
    std::string after_prompt{};  ///< what a line editor sends behind it; busybox asks the terminal "\033[6n"
    unsigned console_loglevel = 7;

    std::vector<Fault> faults{};
};

}  // namespace rig::sim
