// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_station.hpp"

#include "drivers/sim/board.hpp"
#include "drivers/sim/sim_console.hpp"
#include "drivers/sim/sim_power.hpp"
#include "drivers/sim/sim_witness.hpp"
#include "drivers/sim/transmitter.hpp"
#include "drivers/sim/uart_line.hpp"

#include <utility>

namespace rig::sim {
namespace {

std::optional<RecordTruth::OnCapture> place(const PrintedRecord& record, const std::vector<CaptureTruth>& captures) {
    for (const auto& capture : captures) {
        const auto& clock = capture.clock;
        if (record.wire_start < clock.start() || capture.limit == 0 ||
            record.wire_start > clock.time_of(capture.limit - 1))
            continue;
        return RecordTruth::OnCapture{.capture = capture.number,
                                      .start = wire_time{shown(record.wire_start - clock.start(), clock.error())},
                                      .wire = shown(record.wire, clock.error())};
    }
    return std::nullopt;
}

}  // namespace

struct SimStation::Parts {
    Parts(SimClock& clock, SimParameters all)
        : parameters(std::move(all)),
          faults(parameters.faults),
          tx(clock, sim::bit_time(parameters.baud, RateError::of_ppm(parameters.baud_error_ppm)),
             parameters.host_latency, [this](const SimFrame& frame) { console.receive(frame); }),
          rx(clock, sim::bit_time(parameters.baud, {}), std::chrono::nanoseconds{0},
             [this](const SimFrame& frame) { board.receive(frame.value, frame.end); }),
          uart(tx, faults, parameters),
          board(parameters, faults, uart),
          console(clock, faults, rx),
          analyzer(clock, parameters, faults, uart,
                   ProbedLines{tx.trace(), rx.trace(), board.kernel().marker_pin(),
                               [this](true_time at) { board.kernel().settle(at); }}),
          power(clock, faults, board),
          witness(clock, parameters, WitnessedParts{tx, rx, uart, board, analyzer, faults}) {}

    SimParameters parameters;
    FaultBoard faults;
    UartLine tx;
    UartLine rx;
    Transmitter uart;
    Board board;
    SimConsole console;
    SimAnalyzer analyzer;
    SimPower power;
    SimWitness witness;
};

SimStation::SimStation(SimClock& clock, SimParameters parameters)
    : parts_(std::make_unique<Parts>(clock, std::move(parameters))) {}

SimStation::~SimStation() = default;

device::Console& SimStation::console() {
    return parts_->console;
}
device::Analyzer& SimStation::analyzer() {
    return parts_->analyzer;
}
device::Power& SimStation::power() {
    return parts_->power;
}
device::Witness& SimStation::witness() {
    return parts_->witness;
}
const SimParameters& SimStation::parameters() const {
    return parts_->parameters;
}
picoseconds SimStation::bit_time() const {
    return parts_->tx.bit();
}

std::map<std::string, std::string> SimStation::channels() {
    return {{"tx", "D0"}, {"rx", "D1"}, {"marker", "D2"}, {"heartbeat", "D3"}};
}

void SimStation::inject(Fault fault) {
    parts_->faults.add(std::move(fault));
}
void SimStation::clear_faults() {
    parts_->faults.clear();
}

std::vector<RecordTruth> SimStation::truth() const {
    std::vector<RecordTruth> all;
    for (const auto& record : parts_->board.kernel().printed())
        all.push_back({record, place(record, parts_->analyzer.captures())});
    return all;
}

std::vector<RecordTruth> SimStation::truth_of(std::string_view nonce) const {
    auto all = truth();
    std::erase_if(all,
                  [nonce](const RecordTruth& truth) { return !truth.record.measured || truth.record.nonce != nonce; });
    return all;
}

const std::vector<CaptureTruth>& SimStation::captures() const {
    return parts_->analyzer.captures();
}

}  // namespace rig::sim
