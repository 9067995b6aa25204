// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/console_evidence.hpp"

namespace rig::analysis {
namespace {

/// The kernel's own log has the record that no console shows, and the times that a console may be told to leave out.
void read_kernel_log(ConsoleEvidence& evidence, const std::string& log, const std::string& nonce) {
    if (!evidence.next) evidence.next = console::find_record(log, "short " + nonce + " ");
    if (!evidence.record || evidence.record->time) return;
    if (const auto record = console::find_record(log, "test " + nonce + " ")) evidence.record->time = record->time;
}

}  // namespace

std::optional<std::string> file_of(const evidence::Bundle& bundle, const evidence::TrialRecord& trial,
                                   const std::string& name) {
    const auto file = trial.target_files.find(name);
    if (file == trial.target_files.end()) return std::nullopt;
    return bundle.read(file->second);
}

ConsoleEvidence read_console(const evidence::Bundle& bundle, const evidence::TrialRecord& trial) {
    const std::string bytes = bundle.console(trial.console_from, trial.console_to);
    ConsoleEvidence evidence;
    evidence.record = console::find_record(bytes, "test " + trial.nonce + " ");
    if (!evidence.record) return evidence;
    evidence.record_bytes = bytes.substr(evidence.record->begin, evidence.record->end - evidence.record->begin);
    evidence.next = console::find_record(bytes, "short " + trial.nonce + " ", evidence.record->end);
    evidence.interval =
        console::find_interval(bytes, evidence.record->end, evidence.next ? evidence.next->begin : std::string::npos);
    if (const auto log = file_of(bundle, trial, "kernel_log")) read_kernel_log(evidence, *log, trial.nonce);
    return evidence;
}

}  // namespace rig::analysis
