// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/trial_record.hpp"

#include <array>

namespace rig::evidence {
namespace {

using json = nlohmann::ordered_json;

json capture_to_json(const CaptureRecord& capture) {
    json object{{"file", capture.file},
                {"samplerate_hz", capture.rate.hz},
                {"limit", capture.limit},
                {"samples", capture.samples},
                {"end_packet", capture.end_packet},
                {"started_ns", capture.started_ns},
                {"ended_ns", capture.ended_ns},
                {"bits", capture.bits},
                {"error", capture.error}};
    if (capture.first_ns) object["first_ns"] = *capture.first_ns;
    return object;
}

CaptureRecord capture_from_json(const json& object) {
    CaptureRecord capture;
    capture.file = object.at("file");
    capture.rate.hz = object.at("samplerate_hz");
    capture.limit = object.at("limit");
    capture.samples = object.at("samples");
    capture.end_packet = object.at("end_packet");
    capture.started_ns = object.at("started_ns");
    capture.ended_ns = object.at("ended_ns");
    capture.bits = object.at("bits").get<std::map<std::string, unsigned>>();
    capture.error = object.at("error");
    if (object.contains("first_ns")) capture.first_ns = object.at("first_ns").get<std::int64_t>();
    return capture;
}

}  // namespace

json to_json(const Failure& failure) {
    return {{"culprit", name_of(failure.culprit)}, {"what", failure.what}, {"hint", failure.hint}};
}

Failure failure_from_json(const json& object) {
    Failure failure;
    const std::string name = object.at("culprit");
    for (const auto culprit : {Culprit::dut, Culprit::rig, Culprit::bench, Culprit::plan}) {
        if (name_of(culprit) == name) failure.culprit = culprit;
    }
    failure.what = object.at("what");
    failure.hint = object.at("hint");
    return failure;
}

json to_json(const TrialRecord& record) {
    json object{{"trial", record.trial},
                {"case", record.case_name},
                {"parameters", record.parameters},
                {"attempt", record.attempt},
                {"nonce", record.nonce},
                {"stimulus", record.stimulus},
                {"console", {{"from", record.console_from}, {"to", record.console_to}}},
                {"target", record.target_files},
                {"bench", record.bench_file}};
    if (record.capture) object["capture"] = capture_to_json(*record.capture);
    if (record.failure) object["failure"] = to_json(*record.failure);
    return object;
}

TrialRecord trial_from_json(const json& object) {
    try {
        TrialRecord record;
        record.trial = object.at("trial");
        record.case_name = object.at("case");
        record.parameters = object.at("parameters").get<std::map<std::string, std::int64_t>>();
        record.attempt = object.at("attempt");
        record.nonce = object.at("nonce");
        record.stimulus = object.at("stimulus");
        record.console_from = object.at("console").at("from");
        record.console_to = object.at("console").at("to");
        record.target_files = object.at("target").get<std::map<std::string, std::string>>();
        record.bench_file = object.at("bench");
        if (object.contains("capture")) record.capture = capture_from_json(object.at("capture"));
        if (object.contains("failure")) record.failure = failure_from_json(object.at("failure"));
        return record;
    } catch (const nlohmann::json::exception& error) {
        throw PlanError(std::string("events.jsonl: a trial is not as rig writes it: ") + error.what());
    }
}

}  // namespace rig::evidence
