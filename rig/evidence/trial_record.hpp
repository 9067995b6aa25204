// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/error.hpp"
#include "rig/time/units.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace rig::evidence {

/// An error as it is kept in the bundle, so that a replay knows the culprit and the cause.
struct Failure {
    Culprit culprit = Culprit::rig;
    std::string what;
    std::string hint;

    static Failure of(const Error& error) { return {error.culprit(), error.what(), error.hint()}; }
};

/// What was asked of the analyzer and what came, as the engine saw it.
struct CaptureRecord {
    std::string file;  ///< within the bundle; empty when nothing came
    SampleRate rate;
    std::uint64_t limit = 0;    ///< samples asked for
    std::uint64_t samples = 0;  ///< samples that came
    bool end_packet = false;
    std::int64_t started_ns = 0;           ///< host clock
    std::optional<std::int64_t> first_ns;  ///< host clock, first samples
    std::int64_t ended_ns = 0;             ///< host clock
    std::map<std::string, unsigned> bits;  ///< tx, rx, marker, heartbeat → bit of the sample
    std::string error;                     ///< the driver's words
};

/// One attempt of a trial: where its evidence lies. It holds no measured figure.
struct TrialRecord {
    unsigned trial = 0;  ///< counts every attempt of the run from 1
    std::string case_name;
    std::map<std::string, std::int64_t> parameters;
    unsigned attempt = 1;  ///< of this repetition at this point
    std::string nonce;
    std::string stimulus;          ///< as typed
    std::size_t console_from = 0;  ///< offsets into the console's bytes
    std::size_t console_to = 0;
    std::optional<CaptureRecord> capture;
    std::map<std::string, std::string> target_files;  ///< file on the target → file within the bundle
    std::string bench_file;                           ///< the bench's own observation; empty on copper
    std::optional<Failure> failure;                   ///< the trial was cut short
};

nlohmann::ordered_json to_json(const TrialRecord& record);
/// Throws a PlanError when the object is no trial record.
TrialRecord trial_from_json(const nlohmann::ordered_json& object);

nlohmann::ordered_json to_json(const Failure& failure);
Failure failure_from_json(const nlohmann::ordered_json& object);

}  // namespace rig::evidence
