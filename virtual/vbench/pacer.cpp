// SPDX-License-Identifier: GPL-3.0-or-later
#include "pacer.hpp"

#include "frame_schedule.hpp"
#include "sleep_margin.hpp"
#include "spin_budget.hpp"
#include "trouble.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <future>
#include <optional>
#include <poll.h>
#include <span>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

namespace vbench {

namespace {

cpu_set_t processors_of_this_process() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    return allowed;
}

UniqueFd new_event_fd() {
    UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd)
        throw BenchTrouble(
            fmt::format("no event descriptor for the pacer: {}", std::generic_category().message(errno)));
    return fd;
}

void signal_event(int fd) {
    const std::uint64_t one = 1;
    // A full counter already says what this write would.
    [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof one);
}

void clear_event(int fd) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = ::read(fd, &count, sizeof count);
}

timespec to_timespec(nanoseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

/// Packet mode splits longer ones (pipe(2), PIPE_BUF).
constexpr std::size_t longest_write = 4096;

/// The processors stay awake this long after a frame: the next may follow.
constexpr std::chrono::milliseconds vigil_after_a_frame{2};

/// A pause before a TX byte.
struct Stall {
    std::uint64_t bytes_before;
    nanoseconds pause;
};

}  // namespace

/// The pacer's thread.
class Pacer::Loop {
public:
    Loop(Pacer& pacer, UartTiming timing, nanoseconds gap_bound)
        : pacer_(pacer), tx_(timing, gap_bound), rx_(timing, gap_bound) {}

    void run() {
        while (!stopped_) {
            obey();
            const FramesEnded ended = end_frames();
            // The next frame first: whoever is told of the last one takes a processor's time to wake.
            if (!tx_busy_ && uart_) begin_tx();
            if (ended.rx) deliver(*ended.rx);
            if (!rx_byte_) begin_rx();
            if (ended.tx || ended.rx) signal_event(pacer_.event_.get());
            if (!stopped_) wait();
        }
    }

private:
    /// The frames whose stop bits have ended just now.
    struct FramesEnded {
        bool tx;
        std::optional<std::uint8_t> rx;
    };

    void obey() {
        while (auto command = pacer_.commands_.pop()) {
            switch (command->kind) {
                case PacerCommand::Kind::attach:
                    uart_ = std::move(command->uart);
                    tx_taken_ = {};
                    ++attachment_;
                    break;
                case PacerCommand::Kind::detach:
                    uart_.reset();
                    tx_taken_ = {};
                    break;
                case PacerCommand::Kind::stall:
                    stalls_.push_back({.bytes_before = command->byte - 1, .pause = command->pause});
                    break;
                case PacerCommand::Kind::forget_stalls:
                    stalls_.clear();
                    break;
                case PacerCommand::Kind::stop:
                    stopped_ = true;
                    break;
            }
        }
    }

    FramesEnded end_frames() {
        const Instant time = now();
        FramesEnded ended{.tx = tx_busy_ && time >= tx_.end(), .rx = std::nullopt};
        if (ended.tx) tx_busy_ = false;
        if (rx_byte_ && time >= rx_.end()) ended.rx = std::exchange(rx_byte_, std::nullopt);
        return ended;
    }

    /// The stop bit of an RX byte has ended: the guest's UART has it.
    void deliver(std::uint8_t byte) {
        if (!uart_) return;
        // Of a guest that has gone SIGPIPE would tell, which this thread has blocked.
        if (::write(uart_.rx.get(), &byte, 1) != 1) {
            pacer_.overruns_.fetch_add(1, std::memory_order_relaxed);
        }
    }

    void begin_tx() {
        const Instant looked = now();
        if (const auto byte = next_tx_byte()) {
            const FrameStart frame = tx_.begin(looked, stalled_until(looked));
            tx_busy_ = true;
            pacer_.vigil_.watch_until(tx_.end() + vigil_after_a_frame);
            report(Wire::tx, *byte, frame, tx_.end());
            return;
        }
        tx_.rest();
        const bool nothing_yet = errno == EAGAIN || errno == EINTR;
        if (nothing_yet) return;
        uart_.reset();
        emit({.kind = PacerEvent::Kind::guest_gone, .attachment = attachment_});
        signal_event(pacer_.event_.get());
    }

    /// None, with the reason in errno, when no byte waits; errno 0 is the end. A read takes a whole write of the guest,
    /// or what does not fit is lost (packet mode), so bytes written together wait here.
    std::optional<std::uint8_t> next_tx_byte() {
        if (tx_taken_.empty()) {
            errno = 0;
            const ssize_t taken = ::read(uart_.tx.get(), tx_room_.data(), tx_room_.size());
            if (taken <= 0) return std::nullopt;
            tx_taken_ = std::span(tx_room_).first(static_cast<std::size_t>(taken));
        }
        const std::uint8_t byte = tx_taken_.front();
        tx_taken_ = tx_taken_.subspan(1);
        return byte;
    }

    void begin_rx() {
        const auto byte = pacer_.rx_.pop();
        if (!byte) {
            rx_.rest();
            return;
        }
        const Instant seen = now();
        const FrameStart frame = rx_.begin(seen, seen);
        pacer_.vigil_.watch_until(rx_.end() + vigil_after_a_frame);
        rx_byte_ = byte;
        report(Wire::rx, *byte, frame, rx_.end());
    }

    /// Counts a TX byte against the stalls and sleeps through those that are due before it. Gives the time at which the
    /// byte can go: `looked` when there was none.
    Instant stalled_until(Instant looked) {
        nanoseconds pause{0};
        for (Stall& stall : stalls_) {
            if (stall.bytes_before == 0) pause += stall.pause;
        }
        std::erase_if(stalls_, [](const Stall& stall) { return stall.bytes_before == 0; });
        for (Stall& stall : stalls_) --stall.bytes_before;
        if (pause == nanoseconds(0)) return looked;
        std::this_thread::sleep_for(pause);
        return now();
    }

    void report(Wire wire, std::uint8_t byte, FrameStart frame, Instant end) {
        emit({.kind = PacerEvent::Kind::frame,
              .wire = wire,
              .byte = byte,
              .start = frame.at,
              .end = end,
              .lateness = frame.lateness,
              .attachment = attachment_});
    }

    void emit(PacerEvent event) {
        if (!pacer_.events_.push(std::move(event))) pacer_.unreported_.fetch_add(1, std::memory_order_relaxed);
    }

    [[nodiscard]] std::optional<Instant> next_end() const {
        if (tx_busy_ && rx_byte_) return std::min(tx_.end(), rx_.end());
        if (tx_busy_) return tx_.end();
        if (rx_byte_) return rx_.end();
        return std::nullopt;
    }

    /// Sleeps until a frame ends or something else wants attention.
    void wait() {
        const auto deadline = next_end();
        if (!deadline) {
            poll_sources(nullptr);
            return;
        }
        const nanoseconds spin = std::min(margin_.now(), budget_.available(now()));
        const Instant wake_at = *deadline - spin;
        if (const nanoseconds sleep = wake_at - now(); sleep > nanoseconds(0)) {
            const timespec timeout = to_timespec(sleep);
            if (poll_sources(&timeout)) return;
            margin_.learn(now() - wake_at);
        } else {
            margin_.relax();
        }
        spin_until(*deadline);
    }

    void spin_until(Instant deadline) {
        const Instant from = now();
        while (now() < deadline) {
        }
        budget_.spend(now() - from);
    }

    /// Waits for the guest (unless a TX frame is under way) or the main thread; true when one of them has something.
    bool poll_sources(const timespec* timeout) {
        std::array<pollfd, 2> sources{pollfd{.fd = pacer_.wake_.get(), .events = POLLIN, .revents = 0},
                                      pollfd{.fd = uart_.tx.get(), .events = POLLIN, .revents = 0}};
        const nfds_t count = uart_ && !tx_busy_ ? 2 : 1;
        const int ready = ::ppoll(sources.data(), count, timeout, nullptr);
        if (ready > 0 && sources[0].revents != 0) clear_event(pacer_.wake_.get());
        return ready != 0;
    }

    Pacer& pacer_;
    FrameSchedule tx_;
    FrameSchedule rx_;
    SleepMargin margin_;
    SpinBudget budget_;
    UartEnds uart_;
    std::array<std::uint8_t, longest_write> tx_room_{};
    std::span<std::uint8_t> tx_taken_;  ///< in `tx_room_`: taken from the guest, not yet on the wire
    std::uint64_t attachment_ = 0;
    std::vector<Stall> stalls_;
    std::optional<std::uint8_t> rx_byte_;
    bool tx_busy_ = false;
    bool stopped_ = false;
};

Pacer::Pacer(UartTiming timing, nanoseconds gap_bound, RealtimeWish wish, std::optional<cpu_set_t> cpus)
    : event_(new_event_fd()), wake_(new_event_fd()), vigil_(processors_of_this_process()) {
    // The thread must not be the one that a signal for the process interrupts.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::promise<std::string> realtime;
    auto answer = realtime.get_future();
    thread_ = std::thread([this, timing, gap_bound, wish, cpus, realtime = std::move(realtime)]() mutable {
        ::prctl(PR_SET_NAME, "pacer");
        ::prctl(PR_SET_TIMERSLACK, 1UL);
        realtime.set_value(
            wish == RealtimeWish::off
                ? "off"
                : describe_realtime(pacer_priority, ask_for_realtime(pacer_priority, cpus ? &*cpus : nullptr)));
        Loop(*this, timing, gap_bound).run();
    });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    realtime_ = answer.get();
}

Pacer::~Pacer() {
    command({.kind = PacerCommand::Kind::stop});
    thread_.join();
}

std::uint64_t Pacer::attach(UartEnds uart) {
    command({.kind = PacerCommand::Kind::attach, .uart = std::move(uart)});
    return ++attachments_;
}

void Pacer::detach() {
    command({.kind = PacerCommand::Kind::detach});
}

std::size_t Pacer::send(std::span<const std::uint8_t> bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size() && rx_.push(std::uint8_t{bytes[sent]})) ++sent;
    if (sent > 0) wake();
    return sent;
}

void Pacer::stall(std::uint64_t byte, nanoseconds pause) {
    command({.kind = PacerCommand::Kind::stall, .byte = byte, .pause = pause});
}

void Pacer::forget_stalls() {
    command({.kind = PacerCommand::Kind::forget_stalls});
}

void Pacer::drain(const std::function<void(const PacerEvent&)>& take) {
    clear_event(event_.get());
    while (const auto event = events_.pop()) take(*event);
}

void Pacer::command(PacerCommand command) {
    // The loop empties this ring whenever it wakes, at the latest after one frame time or a stall.
    while (!commands_.push(std::move(command))) {  // NOLINT(bugprone-use-after-move): moved from only when it fits
        wake();
        std::this_thread::yield();
    }
    wake();
}

void Pacer::wake() const {
    signal_event(wake_.get());
}

}  // namespace vbench
