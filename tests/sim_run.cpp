// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sim_run.hpp"

#include "rig/evidence/recorder.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"
#include "rig/session/session.hpp"

#include <algorithm>
#include <cmath>

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

namespace rig::tests {
namespace {

class Silent final : public session::Observer {
public:
    void step(const std::string&) override {}
    void trial(const analysis::TrialResult&, session::Progress) override {}
};

/// The station of the lab file that stands for the sim: its channels and its clock as the parameters have them.
std::string station_text(const sim::SimParameters& parameters, const std::string& boot) {
    std::string channels;
    for (const auto& [role, name] : sim::SimStation::channels()) {
        if (role == "heartbeat" && parameters.heartbeat == sim::Presence::absent) continue;
        channels += fmt::format("{}{}: {}", channels.empty() ? "" : ", ", role, name);
    }
    return fmt::format(
        "stations:\n  sim:\n    console: {{ unix: sim, baud: {} }}\n"
        "    analyzer: {{ sigrok: sim, samplerate: 2 MHz, channels: {{ {} }}, clock: {{ within: {} ppm }} }}\n"
        "    boot: {{ prompt: '{}', within: 20 s{}{} }}\n",
        parameters.baud.value, channels, std::max(1.0, std::abs(parameters.analyzer_ppm)), parameters.prompt,
        boot.empty() ? "" : ", ", boot);
}

/// Long before the run: what the board says of its boot is over.
device::awaitable<void> switch_on(device::Power& power, device::Clock& clock) {
    using namespace std::chrono_literals;
    const device::Deadline deadline{"on", clock.now() + 1s};
    co_await power.on(deadline);
    co_await device::pause(clock, 30s);
}

}  // namespace

std::unique_ptr<SimRun> run_on_sim(const std::string& plan_text, sim::SimParameters parameters, const std::string& boot,
                                   Supply supply) {
    auto run = std::make_unique<SimRun>();
    const auto lab = station_text(parameters, boot);
    const auto plan = plan::read_plan(yaml::Document::parse(plan_text, "plan.yaml"));
    const auto station = lab::read_station(yaml::Document::parse(lab, "lab.yaml"), "sim");
    const evidence::RunInfo info{"0.1.0", plan.name, station.name, "2026-11-30T21:04:05Z"};
    run->bundle = evidence::create_bundle(run->folder.path(), info);
    evidence::Recorder recorder(run->bundle, info, plan_text, lab);

    boost::asio::io_context io(1);
    sim::SimClock clock;
    sim::SimStation board(clock, std::move(parameters));
    Silent silent;
    session::Interrupt interrupt;
    engine::Instruments instruments{clock, board.console(), board.analyzer(), &board.power(), &board.witness()};
    if (supply == Supply::always_on) {
        clock.run_until_done(io, switch_on(board.power(), clock));
        instruments.power = nullptr;
    }
    clock.run_until_done(io, session::record_run(instruments, station, plan, recorder, silent, interrupt));
    run->truth = board.truth();
    run->result = analysis::analyse(evidence::Bundle::open(run->bundle));
    return run;
}

std::vector<std::string> red_lines(const analysis::TrialResult& trial) {
    std::vector<std::string> red;
    for (const auto& line : trial.certificate) {
        if (line.ok == false) red.push_back(line.line);
    }
    return red;
}

}  // namespace rig::tests
