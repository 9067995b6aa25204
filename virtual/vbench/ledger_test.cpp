// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vbench {
namespace {

using namespace std::chrono_literals;

TEST(RunDelayMeter, CountsWhatEachThreadWaitedSinceTheFirstReading) {
    RunDelayMeter meter({{10, {5ms, 50}}, {11, {1ms, 7}}});
    meter.update({{10, {6ms, 60}}, {11, {1ms, 7}}});
    EXPECT_EQ(meter.total(), (RunDelay{1ms, 10}));
    EXPECT_EQ(meter.threads(), 2U);
}

TEST(RunDelayMeter, ANewThreadCountsInFull) {
    RunDelayMeter meter({{10, {5ms, 50}}});
    meter.update({{10, {5ms, 50}}, {12, {2ms, 3}}});
    EXPECT_EQ(meter.total(), (RunDelay{2ms, 3}));
}

TEST(RunDelayMeter, AThreadThatGotAnOldOnesNumberCountsInFull) {
    RunDelayMeter meter({{10, {5ms, 50}}});
    meter.update({{10, {1ms, 2}}});
    EXPECT_EQ(meter.total(), (RunDelay{1ms, 2}));
}

TEST(RunDelayMeter, AGuestThatWasReplacedKeepsWhatItHadWaited) {
    RunDelayMeter meter({{10, {5ms, 50}}});
    meter.update({{10, {8ms, 70}}});
    meter.update({});
    meter.update({{20, {1ms, 4}}});
    EXPECT_EQ(meter.total(), (RunDelay{4ms, 24}));
}

TEST(Ledger, AppearsWithTheFieldsOfTheControlSocket) {
    Ledger ledger(Instant(1s), 9us, {});
    ledger.tx.add(Instant(1500ms), 30us, 250ms);
    ledger.tx.add(Instant(1600ms), 0us, std::nullopt);
    ledger.tx.add(Instant(1700ms), 10us, std::nullopt);
    ledger.captures = 1;
    ledger.samples = 600;
    ledger.behind_max = 12ms;
    ledger.holds.add({.seen = Instant(1600ms), .length = 700us, .gap = 500us, .since_capture = 350ms});
    const auto expected = nlohmann::json::parse(R"({
        "duration_ns": 1000000000,
        "pacer": {"bytes": 3, "rx_bytes": 0, "slips": 2, "slip_max_ns": 30000, "slip_total_ns": 40000,
                  "slip_at": [{"since_capture_ns": 250000000, "slip_ns": 30000},
                              {"since_capture_ns": null, "slip_ns": 10000}]},
        "guest": {"run_delay_ns": 0, "turns": 0, "major_faults": 0, "holds": 1, "hold_max_ns": 700000,
                  "hold_at": [{"since_capture_ns": 350000000, "hold_ns": 700000, "gap_ns": 500000}], "threads": 0},
        "marker": {"edges": 0, "late_events": 0},
        "analyzer": {"captures": 1, "samples": 600, "behind_max_ns": 12000000}})");
    EXPECT_EQ(to_json(ledger, Instant(2s)), expected);
}

}  // namespace
}  // namespace vbench
