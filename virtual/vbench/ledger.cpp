// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger.hpp"

#include <nlohmann/json.hpp>

namespace vbench {

void RunDelayMeter::update(const RunDelays& reading) {
    for (const auto& [thread, delay] : reading) {
        const auto before = last_.find(thread);
        // A count below the last one belongs to a new thread that got an old one's number.
        const bool is_new = before == last_.end() || delay.turns < before->second.turns;
        const RunDelay base = is_new ? RunDelay{} : before->second;
        total_.waited += delay.waited - base.waited;
        total_.turns += delay.turns - base.turns;
        total_.major_faults += delay.major_faults - base.major_faults;
    }
    last_ = reading;
}

namespace {

nlohmann::json to_json(const SlipTally& tally) {
    nlohmann::json slips = nlohmann::json::array();
    for (const Slip& slip : tally.listed()) {
        nlohmann::json entry{{"since_capture_ns", nullptr}, {"slip_ns", slip.amount.count()}};
        if (slip.since_capture) entry["since_capture_ns"] = slip.since_capture->count();
        slips.push_back(std::move(entry));
    }
    return {{"bytes", tally.frames()},
            {"slips", tally.count()},
            {"slip_max_ns", tally.largest().count()},
            {"slip_total_ns", tally.total().count()},
            {"slip_at", std::move(slips)}};
}

nlohmann::json to_json(const HoldTally& tally) {
    nlohmann::json holds = nlohmann::json::array();
    for (const Hold& hold : tally.listed()) {
        nlohmann::json entry{
            {"since_capture_ns", nullptr}, {"hold_ns", hold.length.count()}, {"gap_ns", hold.gap.count()}};
        if (hold.since_capture) entry["since_capture_ns"] = hold.since_capture->count();
        holds.push_back(std::move(entry));
    }
    return holds;
}

}  // namespace

nlohmann::json to_json(const Ledger& ledger, Instant until) {
    nlohmann::json pacer = to_json(ledger.tx);
    pacer["rx_bytes"] = ledger.rx_bytes;
    return {
        {"duration_ns", (until - ledger.began).count()},
        {"pacer", std::move(pacer)},
        {"guest",
         {{"run_delay_ns", ledger.guest.total().waited.count()},
          {"turns", ledger.guest.total().turns},
          {"major_faults", ledger.guest.total().major_faults},
          {"holds", ledger.holds.count()},
          {"hold_max_ns", ledger.holds.largest().count()},
          {"hold_at", to_json(ledger.holds)},
          {"threads", ledger.guest.threads()}}},
        {"marker", {{"edges", ledger.marker_edges}, {"late_events", ledger.late_events}}},
        {"analyzer",
         {{"captures", ledger.captures}, {"samples", ledger.samples}, {"behind_max_ns", ledger.behind_max.count()}}}};
}

}  // namespace vbench
