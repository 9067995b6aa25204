// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/figures.hpp"
#include "rig/analysis/tick_model.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"
#include "rig/target/facts.hpp"
#include "rig/target/irq_latency.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rig::analysis {

/// One line of a trial's certificate. `ok` is absent when an earlier line left nothing to judge it by.
struct CertificateLine {
    std::string line;
    std::optional<bool> ok;
    std::string figure;
};

/// A pulse or a record on the analyzer's time line.
struct Span {
    wire_time begin;
    wire_time end;
};

/// Everything that one attempt of a trial gave. A figure that an account did not give is absent, and `missing` says
/// why.
struct TrialResult {
    unsigned trial = 0;
    std::string case_name;
    plan::Parameters parameters;
    unsigned attempt = 1;

    bool certified = false;
    std::vector<CertificateLine> certificate;
    std::string why;  ///< of a rejected trial: its first line that is not ok, or what cut it short

    std::optional<std::size_t> frames;
    std::optional<Figure> baud_hz;
    std::optional<Figure> wire_s;
    std::optional<Figure> interval_s;
    std::optional<Figure> irq_off_s;
    std::optional<Figure> marker_s;
    std::optional<Ticks> jiffies;         ///< over the interval, or over tick_window_s where that is there
    std::optional<Figure> tick_window_s;  ///< between two readings of the target's jiffies around the stimulus
    std::optional<TickRate> hz;
    std::optional<Figure> expected_ticks;  ///< interval (or tick window) · HZ
    std::optional<Figure> lost_ticks;      ///< expected − jiffies
    std::optional<LostTicks> model_lost_ticks;
    std::vector<target::IrqOffEvent> sections;  ///< within the record's interval, in order
    std::optional<double> section_u_s;          ///< of a section's duration; absent where the clock's step is unknown
    std::optional<Figure> slip_s;               ///< of a virtual station's pacer in the record, the longest

    std::map<plan::Account, std::string> sources;  ///< account that gave a figure → where it came from
    std::map<plan::Account, std::string> missing;  ///< account → why it gave nothing

    std::string capture;  ///< file within the bundle; empty when there is none
    std::optional<Span> record_on_wire;
    std::optional<Span> marker_on_wire;
    std::optional<target_time> record_time;  ///< printk time of the record
};

/// What the target said of its clocks before the first trial, by whichever files it has. A DutError where one is
/// malformed.
target::ClockFacts read_facts(const evidence::Bundle& bundle);

/// Judges one attempt from its evidence alone. Pure: it reads files of the bundle, and nothing else.
TrialResult assess(const evidence::Bundle& bundle, const evidence::TrialRecord& trial, const plan::Plan& plan,
                   const lab::Station& station, const target::ClockFacts& facts);

}  // namespace rig::analysis
