// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/evidence/bundle.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// A run that the tests make themselves: figures drawn from a seed about a stated model, and a capture that is
/// generated. Nothing of it was measured.
namespace rig::reports::testing {

/// A folder that is gone again with its owner.
class ScratchFolder {
public:
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// What the sample is made of.
struct SampleSpec {
    unsigned sync_trials = 20;
    unsigned trials_a_length = 10;
    std::vector<unsigned> lengths{16, 64, 256, 512, 900};
    std::string site = "console_emit_next_record";
    std::string record_words = "a long test record that goes on and on, so that what it costs can be seen";
    std::string after_record;  ///< further console bytes behind the shown trial's record
    std::string reject_reason = "pacer_slip";
    std::string environment_value = "Linux version 6.1.0 (armv5tel)";
};

/// The result of a run with everything in it, and its bundle made in `folder`.
nlohmann::ordered_json make_sample(const SampleSpec& spec, const std::filesystem::path& folder);

/// The result of a run that ended before its first trial, and its bundle.
nlohmann::ordered_json make_failed_sample(const std::filesystem::path& folder);

}  // namespace rig::reports::testing
