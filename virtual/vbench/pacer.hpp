// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "processor_vigil.hpp"
#include "realtime.hpp"
#include "spsc_ring.hpp"
#include "time.hpp"
#include "uart_fifo.hpp"
#include "unique_fd.hpp"
#include "wire_log.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>

namespace vbench {

/// What the pacer tells of the wire.
struct PacerEvent {
    enum class Kind : std::uint8_t { frame, guest_gone };

    Kind kind;
    /// Of a frame: Wire::tx or Wire::rx, the byte, where its start bit begins and its stop bit ends, and the slip.
    Wire wire = Wire::tx;
    std::uint8_t byte = 0;
    Instant start{};
    Instant end{};
    nanoseconds lateness{0};
    /// Which `attach` it belongs to, counted from 1.
    std::uint64_t attachment = 0;
};

/// A request to the pacer; see the Pacer's functions.
struct PacerCommand {
    enum class Kind : std::uint8_t { attach, detach, stall, forget_stalls, stop };

    Kind kind = Kind::stop;
    UartEnds uart{};
    std::uint64_t byte = 0;
    nanoseconds pause{0};
};

/// Passes bytes between the guest's UART and the wire, one per frame time in each direction (8N1), on a thread of its
/// own. The thread runs under SCHED_FIFO where that is allowed, blocks in poll while the wire is idle, and within a
/// burst sleeps until shortly before each frame's end and spins the rest (see SleepMargin and SpinBudget).
///
/// All functions are for one thread, the main one, and return at once. Frames are reported as soon as they begin, since
/// from there on the wire's course up to their stop bit is settled; `event_fd` becomes readable when one has ended.
class Pacer {
public:
    /// `gap_bound`: see FrameSchedule. With real-time priority the thread keeps to `cpus`, when given.
    Pacer(UartTiming timing, nanoseconds gap_bound, RealtimeWish wish, std::optional<cpu_set_t> cpus = std::nullopt);
    ~Pacer();
    Pacer(const Pacer&) = delete;
    Pacer& operator=(const Pacer&) = delete;

    /// Connects the wire to a guest's UART, which the pacer then owns. Gives the attachment's number.
    std::uint64_t attach(UartEnds uart);

    /// The guest loses power: bytes it has written but the wire has not begun are lost.
    void detach();

    /// Queues bytes for the RX wire. Gives how many of them found room.
    std::size_t send(std::span<const std::uint8_t> bytes);

    /// Stops the pacer for `pause` before the `byte`-th TX byte from now on, counted from 1.
    void stall(std::uint64_t byte, nanoseconds pause);

    /// Takes back all stalls that have not struck.
    void forget_stalls();

    /// Hands over what happened since the last call, in order.
    void drain(const std::function<void(const PacerEvent&)>& take);

    [[nodiscard]] int event_fd() const { return event_.get(); }

    /// What became of the request for real-time scheduling, as reported.
    [[nodiscard]] const std::string& realtime() const { return realtime_; }

    /// Frames that found the report queue full, so that nobody heard of them. 0 unless the main thread was held up for
    /// seconds.
    [[nodiscard]] std::uint64_t unreported() const { return unreported_.load(std::memory_order_relaxed); }

    /// RX bytes that the guest did not take while its UART and the pipe to it were full: its overruns.
    [[nodiscard]] std::uint64_t overruns() const { return overruns_.load(std::memory_order_relaxed); }

private:
    class Loop;

    void command(PacerCommand command);
    void wake() const;

    static constexpr std::size_t event_room = 1U << 16;
    static constexpr std::size_t rx_room = 1U << 10;
    static constexpr std::size_t command_room = 1U << 8;

    SpscRing<PacerEvent, event_room> events_;
    SpscRing<std::uint8_t, rx_room> rx_;
    SpscRing<PacerCommand, command_room> commands_;
    std::atomic<std::uint64_t> unreported_{0};
    std::atomic<std::uint64_t> overruns_{0};
    UniqueFd event_;
    UniqueFd wake_;
    ProcessorVigil vigil_;
    std::string realtime_;
    std::uint64_t attachments_ = 0;
    std::thread thread_;
};

}  // namespace vbench
