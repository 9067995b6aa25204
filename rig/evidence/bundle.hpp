// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/evidence/trial_record.hpp"
#include "rig/yaml/document.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace rig::evidence {

/// A bundle as the analysis reads it. It reads files, and changes none.
class Bundle {
public:
    /// A PlanError when the folder is no bundle. The last line of events.jsonl may be cut short (a killed run).
    static Bundle open(const std::filesystem::path& folder);

    /// The same folder without its events: for what reads files only, while the run goes on.
    static Bundle files_of(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path path_of(const std::string& file) const { return folder_ / file; }
    [[nodiscard]] std::string read(const std::string& file) const;
    [[nodiscard]] bool has(const std::string& file) const;
    /// Console bytes from `from` to `to`, as far as they are there.
    [[nodiscard]] std::string console(std::size_t from, std::size_t to) const;

    [[nodiscard]] yaml::Document plan() const;
    [[nodiscard]] yaml::Document station() const;

    /// Every attempt of a trial, in order.
    [[nodiscard]] const std::vector<TrialRecord>& trials() const { return trials_; }
    /// Every event, in order.
    [[nodiscard]] const std::vector<nlohmann::ordered_json>& events() const { return events_; }
    /// Why the run was cut short.
    [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
    /// Whether the run came to its end; false for one that was killed.
    [[nodiscard]] bool ended() const { return ended_; }
    /// The fields of the last event of that name; null when there is none.
    [[nodiscard]] nlohmann::ordered_json last_event(const std::string& name) const;

private:
    std::filesystem::path folder_;
    std::vector<nlohmann::ordered_json> events_;
    std::vector<TrialRecord> trials_;
    std::optional<Failure> failure_;
    bool ended_ = false;
};

}  // namespace rig::evidence
