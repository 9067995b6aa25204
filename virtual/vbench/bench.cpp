// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench.hpp"

#include "memory_lock.hpp"
#include "trouble.hpp"
#include "uart_fifo.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vbench {

using asio::posix::descriptor_base;
using asio::posix::stream_descriptor;
using nlohmann::json;

namespace {

/// The stream of samples runs this far behind the wire. Frames are known as soon as they begin and pin edges as soon as
/// QEMU's log is read, so this is room for the scheduler, not for a delay that is known.
constexpr std::chrono::milliseconds analyzer_lag{50};

/// A pacer that is late by at most one bit has not slipped: no receiver and no certificate can tell.
constexpr int slip_floor_bits = 1;

int measured_depth(const UartTiming& timing) {
    return UartFifo::open(fifo_depth_for(timing)).depth;
}

/// How long the FIFO's bytes last on the wire, but for the one being sent: it hides a lateness up to there.
nanoseconds gap_bound_for(const UartTiming& timing, int fifo_depth) {
    return std::min(timing.frames(std::max(fifo_depth - 1, 1)), nanoseconds(analyzer_lag) / 2);
}

stream_descriptor watch(asio::io_context& io, int fd) {
    return {io, ::fcntl(fd, F_DUPFD_CLOEXEC, 0)};
}

json failure(std::string_view sentence) {
    return {{"ok", false}, {"error", sentence}};
}

std::string_view first_word(std::string_view line) {
    return line.substr(0, line.find(' '));
}

std::string_view after_first_word(std::string_view line) {
    const std::size_t blank = line.find(' ');
    return blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
}

/// A fault that counts bytes strikes at the first one when it names a capture only.
std::uint64_t byte_of(const Fault& fault) {
    return fault.byte.value_or(1);
}

bool strikes_at_once(const Fault& fault) {
    return !fault.capture && !fault.byte;
}

}  // namespace

Bench::Bench(Options options)
    : options_(std::move(options)),
      firmware_(options_.firmware.empty() ? std::nullopt : std::optional(find_firmware(options_.firmware))),
      qemu_version_(firmware_ ? first_line_of({firmware_->qemu, "--version"}) : std::string()),
      directory_(options_.dir),
      epoch_(now()),
      timing_(options_.baud),
      fifo_depth_(measured_depth(timing_)),
      gap_bound_(gap_bound_for(timing_, fifo_depth_)),
      slip_floor_(std::chrono::duration_cast<nanoseconds>(timing_.bits(slip_floor_bits))),
      log_(timing_, epoch_),
      processors_(ProcessorSplit::of_this_process()),
      pacer_(timing_, gap_bound_, options_.realtime, processors_ ? std::optional(processors_->pacer) : std::nullopt),
      hold_watch_(options_.realtime, processors_ ? std::optional(processors_->pacer) : std::nullopt),
      memory_(options_.realtime == RealtimeWish::off ? "off" : lock_memory()),
      since_start_(epoch_, slip_floor_, {}),
      console_(io_, options_.console, directory_.file("console"), [this](auto bytes) { return pacer_.send(bytes); }),
      control_(io_, directory_.file("control"), [this](std::string_view line) { return answer(line); }),
      analyzer_(io_, log_, analyzer_lag,
                {.collect = [this] { collect(); },
                 .begin = [this](Instant start) { return begin_capture(start); },
                 .streamed =
                     [this](std::uint64_t samples, nanoseconds behind) {
                         note([&](Ledger& ledger) {
                             ledger.samples += samples;
                             ledger.behind_max = std::max(ledger.behind_max, behind);
                         });
                     }}),
      pacer_ready_(watch(io_, pacer_.event_fd())),
      signals_(io_, SIGINT, SIGTERM, SIGHUP),
      stdin_(io_) {
    if (firmware_ && qemu_version_.empty()) {
        throw BenchTrouble(fmt::format("{} is missing or does not run; install it (Debian: package qemu-system-arm)",
                                       firmware_->qemu));
    }
    analyzer_.listen(options_.analyzer_port);
    if (options_.realtime == RealtimeWish::automatic)
        bench_realtime_ = describe_realtime(bench_priority, ask_for_realtime_alone(bench_priority));
}

Bench::~Bench() {
    // The board goes first: nothing it still writes is of interest, and its end must not be taken for a failure.
    if (guest_) guest_->cut_power();
}

void Bench::begin() {
    for (const Fault& fault : options_.faults) set_fault(fault);
    if (options_.power == Power::on) power_on();
}

json Bench::ready() const {
    return {{"ready", true},
            {"console", console_.address()},
            {"control", directory_.file("control").string()},
            {"analyzer_port", analyzer_.port()},
            {"firmware", board()}};
}

void Bench::run() {
    asio::co_spawn(io_, watch_pacer(), asio::detached);
    asio::co_spawn(io_, watch_signals(), asio::detached);
    if (options_.lifetime == Options::Lifetime::of_stdin) asio::co_spawn(io_, watch_stdin(), asio::detached);
    io_.run();
}

void Bench::stop() {
    control_.stop();
    console_.stop();
    analyzer_.stop();
    power_off();
    io_.stop();
}

asio::awaitable<void> Bench::watch_pacer() {
    for (;;) {
        const auto [error] = co_await pacer_ready_.async_wait(descriptor_base::wait_read, to_tuple);
        if (error) co_return;
        take_pacer_events();
    }
}

asio::awaitable<void> Bench::watch_signals() {
    const auto [error, signal] = co_await signals_.async_wait(to_tuple);
    if (!error) stop();
}

asio::awaitable<void> Bench::watch_stdin() {
    boost::system::error_code error;
    // Fails for what cannot be waited for, such as a file or /dev/null: its end is now.
    stdin_.assign(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), error);
    std::array<char, 256> buffer{};
    while (!error) std::tie(error, std::ignore) = co_await stdin_.async_read_some(asio::buffer(buffer), to_tuple);
    stop();
}

// --- the board ---

GuestCommand Bench::guest_command() const {
    GuestCommand command{.arguments = {}, .environment = {}, .realtime = options_.realtime, .realtime_unwise = {}};
    if (processors_) command.cpus = processors_->guest;
    if (!firmware_) {
        command.arguments = {"/bin/sh", "-c", options_.guest};
        return command;
    }
    command.arguments = qemu_arguments(*firmware_, options_.baud, options_.append,
                                       memory_ == memory_is_locked ? MemoryWish::locked : MemoryWish::pageable);
    command.cpu_threads = "CPU ";  // "CPU 0/TCG", with -name debug-threads=on
    // Boards bring a sound chip along; QEMU would open the host's sound system for it.
    command.environment = {"QEMU_AUDIO_DRV=none"};
    // Several virtual CPUs that spin under SCHED_FIFO can keep a small host from running anything else at all.
    if (firmware_->processors > 1)
        command.realtime_unwise = fmt::format("not asked for: the guest has {} CPUs", firmware_->processors);
    return command;
}

void Bench::power_on() {
    if (guest_) return;
    UartFifo uart = UartFifo::open(fifo_depth_for(timing_));
    fifo_depth_ = uart.depth;
    const std::uint64_t attachment = pacer_.attach(std::move(uart.wire));
    const unsigned marker_pin = firmware_ ? firmware_->marker_pin : 0;
    guest_ = Guest::start(io_, guest_command(), uart.guest, marker_pin, attachment,
                          {.trace_ready = [this] { take_pin_edges(); },
                           .ended = [this, attachment](const std::string& how) { board_ended(attachment, how); }});
    guest_tx_ = std::move(uart.guest_tx_again);
    guest_realtime_ = guest_->process().realtime();
    hold_watch_.watch(guest_->process().pid());
    const bool hangs = std::ranges::any_of(faults_.all(), [](const Fault& fault) {
        return fault.kind == FaultKind::board_hang && strikes_at_once(fault);
    });
    if (hangs) guest_->process().suspend();
}

void Bench::power_off() {
    if (!guest_) return;
    collect();
    update_run_delays();
    hold_watch_.watch(0);
    guest_->cut_power();
    guest_.reset();
    guest_tx_.reset();
    pacer_.detach();
    pin_edges_.clear();
    log_.set_marker(now(), Level::low);
}

void Bench::board_ended(std::uint64_t attachment, const std::string& how) {
    if (!guest_ || guest_->attachment() != attachment) return;
    fmt::print(stderr, "rig-vbench: the board is off: its guest {}\n", how);
    take_pin_edges();
    hold_watch_.watch(0);
    guest_->cut_power();
    guest_.reset();
    guest_tx_.reset();
    pin_edges_.clear();
    // The pacer is not told: it sends what the guest has written to the end, then finds the UART closed.
    log_.set_marker(now(), Level::low);
}

// --- what happens on the wires ---

void Bench::collect() {
    take_pacer_events();
    take_pin_edges();
}

void Bench::take_pacer_events() {
    pacer_.drain([this](const PacerEvent& event) {
        if (event.kind == PacerEvent::Kind::frame) take_frame(event);
    });
    take_holds();
    deliver_arrivals();
    forget_history();
}

void Bench::take_holds() {
    hold_watch_.drain([this](Hold hold) {
        hold.since_capture = since_capture(hold.seen);
        note([&](Ledger& ledger) { ledger.holds.add(hold); });
    });
}

void Bench::take_pin_edges() {
    if (!guest_) return;
    guest_->trace().drain([this](Instant at, Level level) { pin_edges_.push_back({.at = at, .level = level}); });
    nanoseconds lateness{0};
    if (capture_) {
        for (const Fault& fault : faults_.in_capture(FaultKind::pin_late, capture_->number))
            lateness = std::chrono::milliseconds(*fault.ms);
    }
    const Instant known = now() - lateness;
    while (!pin_edges_.empty() && (lateness == nanoseconds{0} || pin_edges_.front().at <= known)) {
        take_pin_edge(pin_edges_.front());
        pin_edges_.pop_front();
    }
    forget_history();
}

void Bench::take_pin_edge(PinEdge edge) {
    count_if_late(edge.at);
    note([](Ledger& ledger) { ++ledger.marker_edges; });
    log_.set_marker(edge.at, edge.level);
}

void Bench::take_frame(const PacerEvent& frame) {
    count_if_late(frame.start);
    log_.add_frame(frame.wire, frame.start, frame.byte);
    if (frame.wire == Wire::tx) {
        take_tx_frame(frame);
    } else {
        note([](Ledger& ledger) { ++ledger.rx_bytes; });
        console_.input_has_room();
    }
}

void Bench::take_tx_frame(const PacerEvent& frame) {
    if (guest_tx_) {  // QEMU writes, so it is done with making its descriptors non-blocking
        wait_when_full(guest_tx_);
        guest_tx_.reset();
    }
    note([&](Ledger& ledger) { ledger.tx.add(frame.start, frame.lateness, since_capture(frame.start)); });
    strike_at_tx_byte({.at = frame.end, .byte = frame.byte});
}

void Bench::strike_at_tx_byte(Arrival arrival) {
    if (!capture_) {
        arrivals_.push_back(arrival);
        return;
    }
    const std::uint64_t byte = ++capture_->tx_bytes;
    const auto strikes_here = [byte](const Fault& fault) { return !strikes_at_once(fault) && byte_of(fault) == byte; };
    const auto strikes = [&](FaultKind kind) {
        return std::ranges::any_of(faults_.in_capture(kind, capture_->number), strikes_here);
    };
    constexpr std::uint8_t turned_bit = 0x10;
    if (strikes(FaultKind::console_garbage)) arrival.byte ^= turned_bit;
    if (!strikes(FaultKind::console_lose_byte)) arrivals_.push_back(arrival);
    if (strikes(FaultKind::console_unplug)) console_.unplug();
    if (strikes(FaultKind::board_hang) && guest_) guest_->process().suspend();
    if (strikes(FaultKind::board_reset)) reset_soon();
    for (const Fault& fault : faults_.in_capture(FaultKind::guest_held, capture_->number)) {
        if (strikes_here(fault)) hold_guest(fault);
    }
}

/// Not now: the events of the board that goes are being taken.
void Bench::reset_soon() {
    asio::post(io_, [this] {
        if (!guest_) return;
        power_off();
        power_on();
    });
}

void Bench::deliver_arrivals() {
    const Instant present = now();
    // The pacer announces the end of each frame, so what is still to come here is announced later.
    while (!arrivals_.empty() && arrivals_.front().at <= present) {
        console_.deliver(arrivals_.front().byte);
        arrivals_.pop_front();
    }
}

void Bench::count_if_late(Instant at) {
    const auto sampled = analyzer_.first_sampled_until();
    if (sampled && log_.since_epoch(at) <= *sampled) note([](Ledger& ledger) { ++ledger.late_events; });
}

void Bench::forget_history() {
    const auto sampled = analyzer_.sampled_until();
    log_.forget_until(sampled ? epoch_ + std::chrono::floor<nanoseconds>(*sampled) : now());
}

CapturePlan Bench::begin_capture(Instant start) {
    capture_ = LastCapture{.number = ++captures_, .start = start};
    note([](Ledger& ledger) { ++ledger.captures; });
    CapturePlan plan{.probes = faults_.probes(captures_),
                     .close_at = std::nullopt,
                     .lost = {},
                     .pause = std::nullopt,
                     .glitches = {}};
    for (const Fault& fault : faults_.in_capture(FaultKind::analyzer_close, captures_)) plan.close_at = fault.at;
    for (const Fault& fault : faults_.in_capture(FaultKind::analyzer_lose_block, captures_)) {
        plan.lost.push_back({.at = *fault.at, .samples = *fault.samples});
    }
    for (const Fault& fault : faults_.in_capture(FaultKind::analyzer_pause, captures_))
        plan.pause = {.at = *fault.at, .length = std::chrono::milliseconds(*fault.ms)};
    for (const Fault& fault : faults_.in_capture(FaultKind::probe_glitch, captures_))
        plan.glitches.push_back({.at = *fault.at, .samples = *fault.samples});
    std::ranges::sort(plan.lost, {}, &CapturePlan::LostBlock::at);
    pacer_.forget_stalls();
    for (const Fault& fault : faults_.in_capture(FaultKind::pacer_stall, captures_)) {
        pacer_.stall(*fault.byte, std::chrono::milliseconds(*fault.ms));
    }
    return plan;
}

std::optional<nanoseconds> Bench::since_capture(Instant at) const {
    return capture_ ? std::optional(at - capture_->start) : std::nullopt;
}

// --- what the bench is told ---

std::string Bench::answer(std::string_view line) {
    try {
        return obey(line).dump(-1, ' ', false, json::error_handler_t::replace);
    } catch (const BenchTrouble& trouble) {
        return failure(trouble.what()).dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

json Bench::obey(std::string_view line) {
    const std::string_view command = first_word(line);
    const std::string_view what = after_first_word(line);
    if (command == "power") return obey_power(what);
    if (command == "fault") return obey_fault(what);
    if (command == "window") return obey_window(what);
    if (line == "stats") return statistics();
    if (line == "quit") {
        // Posted, so that the answer is on its way before the connection closes.
        asio::post(io_, [this] { stop(); });
        return {{"ok", true}};
    }
    return failure(fmt::format("there is no command '{}'; known are power, fault, window, stats, quit", line));
}

json Bench::obey_power(std::string_view what) {
    if (what == "on") {
        power_on();
    } else if (what == "off") {
        power_off();
    } else if (what == "reset") {
        power_off();
        power_on();
    } else if (what != "state") {
        return failure(fmt::format("power knows on, off, reset and state, not '{}'", what));
    }
    return {{"ok", true}, {"power", power_state()}};
}

json Bench::obey_fault(std::string_view what) {
    if (what == "clear") {
        clear_faults();
    } else {
        const auto fault = parse_fault(what);
        if (!fault) return failure(fault.error());
        set_fault(*fault);
    }
    json names = json::array();
    for (const Fault& fault : faults_.all()) names.push_back(text_of(fault));
    return {{"ok", true}, {"faults", std::move(names)}};
}

json Bench::obey_window(std::string_view what) {
    if (what == "begin") {
        collect();
        window_.emplace(now(), slip_floor_, run_delays());
        return {{"ok", true}};
    }
    if (what != "end") return failure(fmt::format("window knows begin and end, not '{}'", what));
    if (!window_) return failure("no window is open; send 'window begin' first");
    collect();
    update_run_delays();
    json result = describe(*window_);
    window_.reset();
    return result;
}

json Bench::statistics() {
    collect();
    update_run_delays();
    json result = describe(since_start_);
    result["pacer"]["baud"] = options_.baud;
    result["pacer"]["slip_floor_ns"] = slip_floor_.count();
    result["pacer"]["cpu"] = processors_ ? json(processors_->pacer_cpu) : json(nullptr);
    result["pacer"]["gap_bound_ns"] = gap_bound_.count();
    result["pacer"]["unreported"] = pacer_.unreported();
    result["pacer"]["guest_overruns"] = pacer_.overruns();
    result["console"] = {{"dropped_bytes", console_.dropped()}};
    result["fifo_bytes"] = fifo_depth_;
    result["uptime_ns"] = (now() - epoch_).count();
    result["power"] = power_state();
    result["qemu"] = qemu_version_;
    result["firmware"] = board();
    result["faults"] = json::array();
    for (const Fault& fault : faults_.all()) result["faults"].push_back(text_of(fault));
    return result;
}

void Bench::set_fault(const Fault& fault) {
    const bool at_once = strikes_at_once(fault);
    if (fault.kind == FaultKind::console_unplug && at_once) {
        console_.unplug();
        return;
    }
    if (fault.kind == FaultKind::guest_held && at_once) {
        hold_guest(fault);
        return;
    }
    if (fault.kind == FaultKind::board_reset && at_once) {
        reset_soon();
        return;
    }
    faults_.add(fault);
    if (fault.kind == FaultKind::analyzer_absent) analyzer_.go_absent();
    if (fault.kind == FaultKind::board_hang && at_once && guest_) guest_->process().suspend();
}

void Bench::hold_guest(const Fault& fault) {
    if (processors_ && hog_.take(processors_->guest, std::chrono::milliseconds(*fault.ms))) return;
    fmt::print(stderr, "rig-vbench: {} does not strike: the bench has no real-time priority or one processor only\n",
               text_of(fault));
}

void Bench::clear_faults() {
    const bool was_absent = faults_.holds(FaultKind::analyzer_absent);
    faults_.clear();
    pacer_.forget_stalls();
    if (was_absent) analyzer_.listen(analyzer_.port());
}

// --- what the bench tells ---

template <typename Note>
void Bench::note(const Note& note) {
    note(since_start_);
    if (window_) note(*window_);
}

RunDelays Bench::run_delays() const {
    return guest_ ? guest_->process().run_delays() : RunDelays{};
}

void Bench::update_run_delays() {
    const RunDelays reading = run_delays();
    note([&](Ledger& ledger) { ledger.guest.update(reading); });
}

json Bench::describe(const Ledger& ledger) const {
    json result = to_json(ledger, now());
    result["ok"] = true;
    result["realtime"] = {
        {"pacer", pacer_.realtime()}, {"guest", guest_realtime_}, {"bench", bench_realtime_}, {"memory", memory_}};
    return result;
}

json Bench::board() const {
    return firmware_ ? to_json(*firmware_) : json{{"name", nullptr}, {"guest", options_.guest}};
}

}  // namespace vbench
