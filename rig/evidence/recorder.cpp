// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/recorder.hpp"

#include "rig/error.hpp"

#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// A name that is safe as a part of a file name.
std::string file_word(std::string_view text) {
    std::string word;
    for (const char c : text)
        word += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '-';
    return word.substr(0, 60);
}

fs::path make_folders(const fs::path& bundle) {
    std::error_code code;
    for (const auto* folder : {"console", "capture", "target", "bench", "derived"}) {
        fs::create_directories(bundle / folder, code);
        if (code) throw BenchError(fmt::format("cannot create {}: {}", (bundle / folder).string(), code.message()));
    }
    return bundle;
}

}  // namespace

fs::path create_bundle(const fs::path& runs, const RunInfo& info) {
    std::error_code code;
    fs::create_directories(runs, code);
    if (code)
        throw BenchError(fmt::format("cannot create {}: {}", runs.string(), code.message()),
                         "give another folder with --runs");
    std::string stamp = info.started_utc;
    for (char& c : stamp) c = c == ':' ? '-' : c;
    const auto name = fmt::format("{}_{}_{}", stamp, file_word(info.plan), file_word(info.station));
    for (unsigned copy = 1; copy < 1000; ++copy) {
        const auto path = runs / (copy == 1 ? name : fmt::format("{}_{}", name, copy));
        if (fs::create_directory(path, code)) return path;
        if (code)
            throw BenchError(fmt::format("cannot create {}: {}", path.string(), code.message()),
                             "give another folder with --runs");
    }
    throw BenchError(fmt::format("{} holds a thousand runs of this second", runs.string()));
}

CaptureSpool::CaptureSpool(const fs::path& bundle, unsigned trial)
    : bundle_(bundle), file_(fmt::format("capture/{:04}.sr", trial)) {}

void CaptureSpool::begin(SampleRate rate, const device::SampleLayout& layout) {
    std::vector<SrChannel> channels;
    for (const auto& [channel, bit] : layout.bits) channels.push_back({channel, bit});
    writer_.emplace(bundle_ / file_, rate, std::move(channels), layout.unitsize);
    writer_->append(early_);
    early_.clear();
}

void CaptureSpool::samples(std::span<const std::byte> block) {
    if (writer_)
        writer_->append(block);
    else
        early_.insert(early_.end(), block.begin(), block.end());
}

std::string CaptureSpool::finish() {
    if (!writer_ || writer_->bytes() == 0) {
        writer_.reset();
        std::error_code ignored;
        fs::remove(SrWriter::spool_of(bundle_ / file_), ignored);
        return {};
    }
    writer_->finish();
    return file_;
}

Recorder::Recorder(fs::path bundle, RunInfo info, std::string_view plan_text, std::string_view station_text)
    : bundle_(make_folders(bundle)),
      info_(std::move(info)),
      events_(bundle_ / "events.jsonl"),
      console_bytes_(bundle_ / "console/main.bytes"),
      console_index_(bundle_ / "console/main.index") {
    store("plan.yaml", plan_text);
    store("station.yaml", station_text);
}

void Recorder::console(std::span<const std::byte> bytes, host_time at) {
    console_bytes_.append(bytes);
    console_index_.append(fmt::format("{} {}\n", console_size_, at.time_since_epoch().count()));
    console_size_ += bytes.size();
}

void Recorder::event(host_time at, std::string_view name, const json& fields) {
    json line{{"at_ns", at.time_since_epoch().count()}, {"event", name}};
    line.update(fields);
    // Text from the target may hold any bytes: what is no UTF-8 is shown as the replacement character here; the raw
    // bytes are in console/.
    events_.append(line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

void Recorder::trial_begin(host_time at, const TrialRecord& record) {
    event(at, "trial_begin", to_json(record));
}

void Recorder::capture_begin(host_time at, const CaptureSpool& spool, const device::CaptureRequest& asked,
                             const device::SampleLayout& layout) {
    event(at, "capture_begin",
          {{"file", spool.file()},
           {"samplerate_hz", asked.rate.hz},
           {"limit", asked.samples},
           {"bits", layout.bits},
           {"unitsize", layout.unitsize}});
}

void Recorder::trial(host_time at, const TrialRecord& record) {
    event(at, "trial", to_json(record));
}

std::string Recorder::store(std::string_view path, std::string_view text) {
    const fs::path file = bundle_ / path;
    std::error_code code;
    fs::create_directories(file.parent_path(), code);
    if (code) throw BenchError(fmt::format("cannot create {}: {}", file.parent_path().string(), code.message()));
    AppendFile(file).append(text);
    return std::string(path);
}

std::unique_ptr<CaptureSpool> Recorder::capture(unsigned trial) const {
    return std::make_unique<CaptureSpool>(bundle_, trial);
}

void Recorder::end(host_time at, const std::optional<Failure>& failure) {
    event(at, "end", failure ? json{{"failure", to_json(*failure)}} : json::object());
}

void Recorder::seal() const {
    write_manifest(bundle_, info_);
}

}  // namespace rig::evidence
