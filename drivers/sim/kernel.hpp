// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/irq_recorder.hpp"
#include "drivers/sim/level_trace.hpp"
#include "drivers/sim/sim_parameters.hpp"
#include "drivers/sim/tick_counter.hpp"
#include "drivers/sim/transmitter.hpp"
#include "drivers/sim/true_time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::sim {

/// What really happened when one record was printed. Times are true times.
struct PrintedRecord {
    std::string nonce;  ///< empty when it is no record of a stimulus
    std::string bytes;  ///< on the wire, line ending included
    true_time wire_start{};
    picoseconds wire{0};
    std::chrono::nanoseconds irq_off{0};             ///< as it was
    std::chrono::nanoseconds irq_off_reported{0};    ///< as irq_latency reports it
    std::optional<std::chrono::nanoseconds> marker;  ///< width of the pin's pulse, while armed
    std::uint64_t ticks_lost = 0;                    ///< during its IRQ-off section

    /// Around the call, as printk_test measured it; the interval line after a record says this.
    struct Measured {
        std::chrono::nanoseconds interval{0};  ///< by the target's clock
        Ticks jiffies;
        Ticks lost;  ///< ticks that were due and that jiffies never counted
    };
    std::optional<Measured> measured;
};

enum class Arming { disarmed, armed };

/// The board's kernel: clocks, ticks, printk with interrupts off, and the patches that watch it. It has no time of its
/// own: each call says when it happens and gives when the CPU goes on. Calls come in order of time.
class Kernel {
public:
    Kernel(const SimParameters& parameters, Transmitter& uart);

    /// The kernel starts: clocks at zero, instruments empty.
    void start(true_time at);
    /// The supply goes: what was still to happen after `at` does not.
    void stop(true_time at);

    /// Interrupts go off for good: the kernel panicked or hangs.
    void halt(true_time at);

    /// Prints a record when the console's level lets it through. When the CPU goes on; nothing when the board hangs.
    std::optional<true_time> printk(unsigned level, std::string_view text, true_time at);
    /// printk_test's way: the record, then "interval=…, jiffies=…".
    std::optional<true_time> printk_measured(std::string_view text, std::string_view nonce, true_time at);

    [[nodiscard]] target_time sched_clock(true_time at) const;
    /// As a 32-bit target counts them, from five minutes before the wrap.
    [[nodiscard]] std::uint32_t jiffies(true_time at);
    [[nodiscard]] std::chrono::nanoseconds uptime(true_time at) const;

    /// Lets every tick up to `at` happen.
    void settle(true_time at);

    [[nodiscard]] IrqRecorder& irq_latency(true_time at);
    /// Writes the marker patch's switch: the pin follows the IRQ-off sections while it is armed.
    void set_marker(Arming arming, true_time at);
    [[nodiscard]] Arming marker() const;
    [[nodiscard]] LevelTrace& marker_pin() { return pin_; }

    void set_console_loglevel(unsigned level);
    [[nodiscard]] unsigned console_loglevel() const;

    /// What dmesg shows: every record since boot, with its time.
    [[nodiscard]] const std::string& log() const { return log_; }

    /// Every record that went out whole, in order.
    [[nodiscard]] const std::vector<PrintedRecord>& printed() const { return printed_; }

private:
    struct State {
        true_time started;
        TickCounter ticks;
        IrqRecorder recorder;
        unsigned loglevel;
        Arming marker = Arming::disarmed;
        bool halted = false;
        true_time free_from;  // end of the last stretch with interrupts off
    };

    State& state();
    [[nodiscard]] const State& state() const;
    true_time end_section(true_time start, true_time end, PrintedRecord& record);
    void note_section(true_time start, true_time end, std::string_view site, std::optional<unsigned> irq);
    [[nodiscard]] std::chrono::nanoseconds reported(true_time start, true_time end) const;
    void tick_interrupt(true_time at);
    [[nodiscard]] picoseconds board_time(true_time at) const;
    [[nodiscard]] true_time true_time_of(picoseconds board) const;

    const SimParameters* parameters_;
    Transmitter* uart_;
    std::optional<State> state_;
    LevelTrace pin_{wire::Level::low};
    std::vector<PrintedRecord> printed_;
    std::string log_;
};

}  // namespace rig::sim
