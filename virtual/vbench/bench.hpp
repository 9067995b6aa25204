// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analyzer_server.hpp"
#include "asio.hpp"
#include "bench_directory.hpp"
#include "console_server.hpp"
#include "control_server.hpp"
#include "faults.hpp"
#include "firmware.hpp"
#include "guest.hpp"
#include "hold_watch.hpp"
#include "ledger.hpp"
#include "options.hpp"
#include "pacer.hpp"
#include "processor_hog.hpp"
#include "wire_log.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <nlohmann/json_fwd.hpp>

namespace vbench {

/// The whole bench: the board with its wire, the instruments on it, and the switchboard. Everything but the pacer's
/// loop runs on the thread that made it, which must be the process's main thread (see GuestProcess).
class Bench {
public:
    /// Opens the sockets. Throws BenchTrouble.
    explicit Bench(Options options);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Powers the board if that was asked for. Throws BenchTrouble.
    void begin();

    /// What the first line on standard output says.
    [[nodiscard]] nlohmann::json ready() const;

    /// Works until a signal, `quit`, or the end of standard input where that was asked for.
    void run();

private:
    /// The capture begun last.
    struct LastCapture {
        std::uint64_t number;
        Instant start;
        std::uint64_t tx_bytes = 0;
    };
    /// A TX byte on its way to the console's client.
    struct Arrival {
        Instant at;
        std::uint8_t byte;
    };
    /// An edge of the marker pin that was read and is not on the wire yet.
    struct PinEdge {
        Instant at;
        Level level;
    };

    asio::awaitable<void> watch_pacer();
    asio::awaitable<void> watch_signals();
    asio::awaitable<void> watch_stdin();
    void stop();

    void power_on();
    void power_off();
    void board_ended(std::uint64_t attachment, const std::string& how);
    [[nodiscard]] GuestCommand guest_command() const;

    void collect();
    void take_pacer_events();
    void take_pin_edges();
    void take_pin_edge(PinEdge edge);
    void take_holds();
    void take_frame(const PacerEvent& frame);
    void take_tx_frame(const PacerEvent& frame);
    void strike_at_tx_byte(Arrival arrival);
    void reset_soon();
    void deliver_arrivals();
    void forget_history();
    void count_if_late(Instant at);

    CapturePlan begin_capture(Instant start);
    [[nodiscard]] std::optional<nanoseconds> since_capture(Instant at) const;

    std::string answer(std::string_view line);
    nlohmann::json obey(std::string_view line);
    nlohmann::json obey_power(std::string_view what);
    nlohmann::json obey_fault(std::string_view what);
    nlohmann::json obey_window(std::string_view what);
    nlohmann::json statistics();
    void set_fault(const Fault& fault);
    void hold_guest(const Fault& fault);
    void clear_faults();

    template <typename Note>
    void note(const Note& note);
    void update_run_delays();
    [[nodiscard]] RunDelays run_delays() const;
    [[nodiscard]] nlohmann::json describe(const Ledger& ledger) const;
    [[nodiscard]] nlohmann::json board() const;
    [[nodiscard]] const char* power_state() const { return guest_ ? "on" : "off"; }

    Options options_;
    std::optional<Firmware> firmware_;
    std::string qemu_version_;
    asio::io_context io_;
    BenchDirectory directory_;
    Instant epoch_;
    UartTiming timing_;
    int fifo_depth_;
    UniqueFd guest_tx_;  ///< until the guest has written its first byte
    nanoseconds gap_bound_;
    nanoseconds slip_floor_;
    WireLog log_;
    std::optional<ProcessorSplit> processors_;
    Pacer pacer_;
    HoldWatch hold_watch_;
    ProcessorHog hog_;
    std::string guest_realtime_ = "not started";
    std::string bench_realtime_ = "off";
    std::string memory_;  ///< "locked", or why not
    FaultBoard faults_;
    std::optional<LastCapture> capture_;
    std::uint64_t captures_ = 0;
    std::deque<Arrival> arrivals_;
    std::deque<PinEdge> pin_edges_;
    Ledger since_start_;
    std::optional<Ledger> window_;
    ConsoleServer console_;
    ControlServer control_;
    AnalyzerServer analyzer_;
    std::shared_ptr<Guest> guest_;
    asio::posix::stream_descriptor pacer_ready_;
    asio::signal_set signals_;
    asio::posix::stream_descriptor stdin_;
};

}  // namespace vbench
