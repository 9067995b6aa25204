// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/recover.hpp"

#include "rig/error.hpp"
#include "rig/evidence/append_file.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/evidence/manifest.hpp"
#include "rig/evidence/sr_file.hpp"
#include "rig/evidence/trial_record.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// Half a line at the end is what the kernel had taken of the last write.
void cut_half_line(const fs::path& events, Recovery& recovery) {
    const std::string text = read_file(events);
    const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    if (whole == text.size()) return;
    fs::resize_file(events, whole);
    recovery.notes.push_back(fmt::format("events.jsonl ended in half a line of {} bytes", text.size() - whole));
}

/// The trial that had begun and has no record, with what was asked of the analyzer.
struct OpenTrial {
    TrialRecord record;
    std::optional<CaptureRecord> asked;
    std::size_t unitsize = 1;
};

void read_capture(const json& event, OpenTrial& open) {
    auto& capture = open.asked.emplace();
    capture.file = event.at("file");
    capture.rate.hz = event.at("samplerate_hz");
    capture.limit = event.at("limit");
    capture.bits = event.at("bits").get<std::map<std::string, unsigned>>();
    capture.started_ns = event.at("at_ns");
    capture.ended_ns = capture.started_ns;
    open.unitsize = event.at("unitsize");
}

std::optional<OpenTrial> find_open_trial(const Bundle& bundle) {
    std::optional<OpenTrial> open;
    for (const auto& event : bundle.events()) {
        const auto& name = event.at("event");
        if (name == "trial_begin") open = OpenTrial{.record = trial_from_json(event), .asked = std::nullopt};
        if (name == "capture_begin" && open) read_capture(event, *open);
        if (name == "trial") open.reset();
    }
    return open;
}

/// The samples that had come, as a session; the count of them.
std::uint64_t keep_samples(const fs::path& bundle, const CaptureRecord& asked, std::size_t unitsize) {
    const auto path = bundle / asked.file;
    if (fs::exists(SrWriter::spool_of(path))) {
        std::vector<SrChannel> channels;
        for (const auto& [channel, bit] : asked.bits) channels.push_back({channel, bit});
        SrWriter::recover(path, asked.rate, channels, unitsize);
    }
    return fs::exists(path) ? SrFile::open(path, Culprit::bench).samples() : 0;
}

/// Writers leave these when they are killed: what they were made of is still there.
void remove_leavings(const fs::path& bundle) {
    std::vector<fs::path> leavings;
    for (const auto& entry : fs::recursive_directory_iterator(bundle)) {
        const auto name = entry.path().filename().string();
        if (name.ends_with(".partial") || name.ends_with(".new") || name.ends_with(".samples"))
            leavings.push_back(entry.path());
    }
    for (const auto& path : leavings) fs::remove(path);
}

void close_trial(const fs::path& folder, OpenTrial open, AppendFile& events, Recovery& recovery) {
    auto& record = open.record;
    std::string kept = "it had no capture yet";
    if (open.asked) {
        open.asked->samples = keep_samples(folder, *open.asked, open.unitsize);
        open.asked->error = "rig was killed";
        if (open.asked->samples == 0) open.asked->file.clear();
        kept = fmt::format("{} of {} samples were kept", open.asked->samples, open.asked->limit);
        record.capture = open.asked;
    }
    record.console_to = fs::file_size(folder / "console/main.bytes");
    record.failure = Failure{Culprit::bench, fmt::format("rig was killed in trial {}", record.trial), "run it again"};
    auto line = json{{"at_ns", open.asked ? open.asked->ended_ns : 0}, {"event", "trial"}};
    line.update(to_json(record));
    events.append(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
    recovery.notes.push_back(fmt::format("trial {} was cut off: {}", record.trial, kept));
}

RunInfo info_of(const Bundle& bundle) {
    const auto run = bundle.last_event("run");
    if (!run.is_object())
        throw PlanError(fmt::format("{} ends before its run began: there is nothing in it", bundle.folder().string()),
                        "remove the folder");
    return {run.value("rig", ""), run.value("plan", ""), run.value("station", ""), run.value("started_utc", "")};
}

}  // namespace

Recovery recover(const fs::path& folder) {
    Recovery recovery;
    const auto path = folder / "events.jsonl";
    if (is_sealed(folder)) {
        recovery.trials = Bundle::open(folder).trials().size();
        return recovery;
    }
    Bundle::open(folder);                    // refuses what is no bundle, before anything is changed,
    auto events = AppendFile::reopen(path);  // and this what is still written to
    cut_half_line(path, recovery);
    const auto bundle = Bundle::open(folder);
    const auto info = info_of(bundle);
    if (auto open = find_open_trial(bundle)) close_trial(folder, std::move(*open), events, recovery);
    remove_leavings(folder);
    write_manifest(folder, info);
    recovery.outcome = Recovery::Outcome::closed;
    recovery.trials = Bundle::open(folder).trials().size();
    return recovery;
}

}  // namespace rig::evidence
