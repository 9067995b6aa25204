// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench.hpp"

#include "drivers/analyzer/sigrok/sigrok_analyzer.hpp"
#include "drivers/clock/host_clock.hpp"
#include "drivers/console/serial/pty_console.hpp"
#include "drivers/console/serial/serial_console.hpp"
#include "drivers/console/socket/tcp_console.hpp"
#include "drivers/console/socket/unix_console.hpp"
#include "drivers/power/bench/bench.hpp"

#include <optional>

namespace rig::cli {

namespace {

using Facts = std::map<std::string, std::string>;

/// The driver of a console's line.
struct MakeConsole {
    boost::asio::any_io_executor executor;
    const Facts& facts;
    Baud baud;

    using Made = std::unique_ptr<device::Console>;
    Made operator()(const lab::UnixLine& line) const {
        return std::make_unique<drivers::UnixConsole>(executor, lab::expand(line.path, facts));
    }
    Made operator()(const lab::TcpLine& line) const {
        return std::make_unique<drivers::TcpConsole>(executor, lab::expand(line.address, facts));
    }
    Made operator()(const lab::PtyLine& line) const {
        return std::make_unique<drivers::PtyConsole>(executor, lab::expand(line.path, facts));
    }
    Made operator()(const lab::TtyLine& line) const {
        return std::make_unique<drivers::SerialConsole>(executor, lab::expand(line.path, facts), baud);
    }
    Made operator()(const lab::UsbLine& line) const {
        const drivers::SerialPortChoice choice{lab::expand(line.serial, facts), lab::expand(line.place, facts)};
        return std::make_unique<drivers::SerialConsole>(executor, choice, baud);
    }
};

}  // namespace

struct Bench::Parts {
    drivers::HostClock clock;
    std::optional<drivers::BenchProcess> process;
    std::optional<drivers::BenchControl> control;
    std::unique_ptr<device::Console> console;
    std::optional<drivers::SigrokAnalyzer> analyzer;

    explicit Parts(boost::asio::io_context& io) : clock(io.get_executor()) {}
};

Bench::Bench(boost::asio::io_context& io, const lab::Station& station) : parts_(std::make_unique<Parts>(io)) {
    Facts facts{{"console.baud", std::to_string(station.console.baud.value)}};
    if (station.bench) {
        lab::VirtualSpec spec = *station.bench;
        spec.start = lab::expand(spec.start, facts);
        parts_->process.emplace(spec);
        facts.insert(parts_->process->facts().begin(), parts_->process->facts().end());
        parts_->control.emplace(io.get_executor(), facts.at("bench.control"));
    }
    parts_->console = std::visit(MakeConsole{io.get_executor(), facts, station.console.baud}, station.console.line);
    parts_->analyzer.emplace(io.get_executor(), parts_->clock, lab::expand(station.analyzer.sigrok, facts));
}

Bench::~Bench() = default;

engine::Instruments Bench::instruments() {
    auto* control = parts_->control ? &*parts_->control : nullptr;
    return {parts_->clock, *parts_->console, *parts_->analyzer, control, control};
}

}  // namespace rig::cli
