// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/bundle.hpp"

#include "rig/error.hpp"
#include "rig/evidence/append_file.hpp"

#include <fstream>
#include <ranges>

#include <fmt/format.h>

namespace rig::evidence {

using json = nlohmann::ordered_json;

namespace {

/// A run that is killed between making its folders and its first file leaves the folders.
[[noreturn]] void refuse_folder(const std::filesystem::path& folder) {
    if (std::filesystem::is_directory(folder / "capture"))
        throw PlanError(
            fmt::format("{} holds nothing: its run was killed before it recorded anything", folder.string()),
            "remove the folder");
    throw PlanError(fmt::format("{} is no bundle: it has no events.jsonl", folder.string()),
                    "give a folder that rig run has made, such as runs/…");
}

}  // namespace

Bundle Bundle::open(const std::filesystem::path& folder) {
    Bundle bundle;
    bundle.folder_ = folder;
    if (!std::filesystem::is_regular_file(folder / "events.jsonl")) refuse_folder(folder);
    const std::string text = evidence::read_file(folder / "events.jsonl");
    std::size_t number = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = text.find('\n', at);
        if (end == std::string::npos) break;  // cut short by a kill: what came before it stands
        ++number;
        auto event = json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                 text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
        at = end + 1;
        if (!event.is_object() || !event.contains("event"))
            throw PlanError(fmt::format("{}/events.jsonl:{}: not an event", folder.string(), number));
        if (event["event"] == "trial") bundle.trials_.push_back(trial_from_json(event));
        if (event["event"] == "end") bundle.ended_ = true;
        if (event["event"] == "end" && event.contains("failure")) bundle.failure_ = failure_from_json(event["failure"]);
        bundle.events_.push_back(std::move(event));
    }
    return bundle;
}

Bundle Bundle::files_of(const std::filesystem::path& folder) {
    Bundle bundle;
    bundle.folder_ = folder;
    return bundle;
}

std::string Bundle::read(const std::string& file) const {
    return evidence::read_file(folder_ / file);
}

bool Bundle::has(const std::string& file) const {
    return std::filesystem::is_regular_file(folder_ / file);
}

std::string Bundle::console(std::size_t from, std::size_t to) const {
    std::ifstream file(folder_ / "console/main.bytes", std::ios::binary);
    file.seekg(static_cast<std::streamoff>(from));
    std::string bytes(to > from ? to - from : 0, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

yaml::Document Bundle::plan() const {
    return yaml::Document::load(folder_ / "plan.yaml");
}
yaml::Document Bundle::station() const {
    return yaml::Document::load(folder_ / "station.yaml");
}

json Bundle::last_event(const std::string& name) const {
    for (const auto& event : events_ | std::views::reverse) {
        if (event["event"] == name) return event;
    }
    return nullptr;
}

}  // namespace rig::evidence
