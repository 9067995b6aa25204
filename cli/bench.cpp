// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench.hpp"

#include "drivers/analyzer/sigrok/sigrok_analyzer.hpp"
#include "drivers/clock/host_clock.hpp"
#include "drivers/console/socket/unix_console.hpp"
#include "drivers/power/bench/bench.hpp"

#include <optional>

namespace rig::cli {

struct Bench::Parts {
    drivers::HostClock clock;
    std::optional<drivers::BenchProcess> process;
    std::optional<drivers::BenchControl> control;
    std::optional<drivers::UnixConsole> console;
    std::optional<drivers::SigrokAnalyzer> analyzer;

    explicit Parts(boost::asio::io_context& io) : clock(io.get_executor()) {}
};

Bench::Bench(boost::asio::io_context& io, const lab::Station& station) : parts_(std::make_unique<Parts>(io)) {
    std::map<std::string, std::string> facts{{"console.baud", std::to_string(station.console.baud.value)}};
    if (station.bench) {
        lab::VirtualSpec spec = *station.bench;
        spec.start = lab::expand(spec.start, facts);
        parts_->process.emplace(spec);
        facts.insert(parts_->process->facts().begin(), parts_->process->facts().end());
        parts_->control.emplace(io.get_executor(), facts.at("bench.control"));
    }
    parts_->console.emplace(io.get_executor(), lab::expand(station.console.unix_path, facts));
    parts_->analyzer.emplace(io.get_executor(), parts_->clock, lab::expand(station.analyzer.sigrok, facts));
}

Bench::~Bench() = default;

engine::Instruments Bench::instruments() {
    auto* control = parts_->control ? &*parts_->control : nullptr;
    return {parts_->clock, *parts_->console, *parts_->analyzer, control, control};
}

}  // namespace rig::cli
