// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/analyzer.hpp"
#include "rig/evidence/append_file.hpp"
#include "rig/evidence/manifest.hpp"
#include "rig/evidence/sr_file.hpp"
#include "rig/evidence/trial_record.hpp"
#include "rig/time/clock.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace rig::evidence {

/// Makes the bundle's folder "STARTED_PLAN_STATION" in `runs`, never one that is there already.
std::filesystem::path create_bundle(const std::filesystem::path& runs, const RunInfo& info);

/// Takes the samples of one capture as they come, into a spool on disk that `finish` makes the .sr file of.
class CaptureSpool final : public device::CaptureSink {
public:
    CaptureSpool(const std::filesystem::path& bundle, unsigned trial);
    /// Says how the samples are laid out. Samples that came before are kept.
    void begin(SampleRate rate, const device::SampleLayout& layout);
    void samples(std::span<const std::byte> block) override;
    /// Writes capture/NNNN.sr and gives its path within the bundle; empty when no sample came.
    std::string finish();
    /// The session that it will be, within the bundle.
    [[nodiscard]] const std::string& file() const { return file_; }

private:
    std::filesystem::path bundle_;
    std::string file_;
    std::vector<std::byte> early_;
    std::optional<SrWriter> writer_;
};

/// Writes the evidence of one run. It records, and judges nothing. Strand only; every call may throw a BenchError when
/// the disk is full or gone.
class Recorder {
public:
    Recorder(std::filesystem::path bundle, RunInfo info, std::string_view plan_text, std::string_view station_text);

    [[nodiscard]] const std::filesystem::path& bundle() const { return bundle_; }

    void console(std::span<const std::byte> bytes, host_time at);
    /// A line of events.jsonl: `fields` behind the time and the event's name.
    void event(host_time at, std::string_view name, const nlohmann::ordered_json& fields);
    /// A trial has begun, as far as it is known; `rig recover` makes a record of it when none comes.
    void trial_begin(host_time at, const TrialRecord& record);
    /// Its capture has begun: what makes a session of the samples in the spool.
    void capture_begin(host_time at, const CaptureSpool& spool, const device::CaptureRequest& asked,
                       const device::SampleLayout& layout);
    void trial(host_time at, const TrialRecord& record);
    /// Stores a file verbatim and gives its path within the bundle.
    std::string store(std::string_view path, std::string_view text);
    [[nodiscard]] std::unique_ptr<CaptureSpool> capture(unsigned trial) const;
    /// The run is over; `failure` when it was cut short.
    void end(host_time at, const std::optional<Failure>& failure);
    /// Writes the manifest. Nothing is recorded after it.
    void seal() const;

private:
    std::filesystem::path bundle_;
    RunInfo info_;
    AppendFile events_;
    AppendFile console_bytes_;
    AppendFile console_index_;
    std::size_t console_size_ = 0;
};

}  // namespace rig::evidence
