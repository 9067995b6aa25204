// SPDX-License-Identifier: GPL-3.0-or-later
// What was there and what is kept: environment, console, files of evidence.
#include "reports/html/sections.hpp"
#include "reports/html/table.hpp"
#include "rig/console/kernel_log.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rig::reports {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_of_trial = std::size_t{16} * 1024;  // bytes of the shown trial's console
constexpr std::size_t tail = std::size_t{8} * 1024;            // bytes of the console's end
constexpr TextBound log_bound{600, 1200};
constexpr TextBound value_bound{60, 4000};

const evidence::TrialRecord* record_of(const evidence::Bundle& bundle, const TrialView& trial) {
    const auto found = std::ranges::find(bundle.trials(), trial.trial, &evidence::TrialRecord::trial);
    return found == bundle.trials().end() ? nullptr : &*found;
}

void write_marked(Writer& page, std::string_view bytes, const std::optional<console::Record>& record) {
    const auto box =
        page.open("pre", {{"class", "log"}, {"tabindex", "0"}, {"aria-label", "Console of the trial shown"}});
    if (!record) return page.lines(bytes, log_bound);
    page.lines(bytes.substr(0, record->begin), log_bound);
    {
        const auto mark = page.open("mark");
        page.lines(bytes.substr(record->begin, record->end - record->begin), log_bound);
    }
    page.lines(bytes.substr(record->end), log_bound);
}

void write_trial_console(Writer& page, const PageSource& source) {
    const auto* trial = shown_trial(source.run);
    if (trial == nullptr) return;
    const auto* record = record_of(source.bundle, *trial);
    if (record == nullptr || record->console_to <= record->console_from) return;
    const auto to = std::min(record->console_to, record->console_from + most_of_trial);
    const std::string bytes = source.bundle.console(record->console_from, to);
    if (bytes.empty()) return;
    page.leaf("h3", fmt::format("Trial {}, bytes {} to {}, the record marked", trial->trial, record->console_from, to));
    write_marked(page, bytes, console::find_record(bytes, "test " + record->nonce + " "));
}

void write_tail(Writer& page, const PageSource& source) {
    std::error_code error;
    const auto size = std::filesystem::file_size(source.bundle.path_of("console/main.bytes"), error);
    if (error || size == 0) return page.leaf("p", {{"class", "nothing"}}, "The bundle holds no console bytes.");
    const auto from = static_cast<std::size_t>(size) - std::min(static_cast<std::size_t>(size), tail);
    page.leaf("h3",
              fmt::format("The end of the console log, from byte {} of {}", from, static_cast<std::size_t>(size)));
    const auto box = page.open("pre", {{"class", "log"}, {"tabindex", "0"}, {"aria-label", "End of the console log"}});
    page.lines(source.bundle.console(from, static_cast<std::size_t>(size)), log_bound);
}

/// A long value (a file that the target or the bench gave) is folded away.
void write_value(Writer& page, std::string_view value) {
    constexpr std::size_t long_value = 400;
    if (value.size() <= long_value) return page.lines(value, value_bound);
    const auto details = page.open("details");
    page.leaf("summary", fmt::format("{} bytes", count_text(value.size())));
    const auto text = page.open("pre");
    page.lines(value, value_bound);
}

json read_manifest(const evidence::Bundle& bundle) {
    if (!bundle.has("manifest.json")) return nullptr;
    return json::parse(bundle.read("manifest.json"), nullptr, false);
}

std::string text_of(const json& object, const char* name) {
    return object.is_object() && object.contains(name) && object[name].is_string() ? object[name].get<std::string>()
                                                                                   : "—";
}

std::string size_of(const json& object) {
    const auto bytes = object.is_object() ? object.find("bytes") : object.end();
    return bytes != object.end() && bytes->is_number_unsigned() ? count_text(bytes->get<std::uint64_t>()) : "—";
}

}  // namespace

void write_environment(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("environment")}});
    page.leaf("h2", "Environment");
    if (source.run.environment.empty()) return page.leaf("p", {{"class", "nothing"}}, "Nothing is known of it.");
    Table table(page, "Environment", "What was measured, with what", {{"what"}, {"value"}});
    for (const auto& [name, value] : source.run.environment) {
        const auto row = table.row();
        put_row_head(page, name);
        const auto cell = page.open("td", {{"class", "value"}});
        write_value(page, value);
    }
}

void write_console(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("console")}});
    page.leaf("h2", "Console");
    write_trial_console(page, source);
    write_tail(page, source);
}

void write_files(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("files")}});
    page.leaf("h2", "Files of evidence");
    const auto manifest = read_manifest(source.bundle);
    if (!manifest.is_object() || !manifest.contains("files") || !manifest["files"].is_array())
        return page.leaf("p", {{"class", "nothing"}}, "The bundle has no manifest: its run was not sealed.");
    Table table(page, "Files of evidence", "As sealed by the manifest",
                {{"file"}, {"bytes", Align::number}, {"sha256"}});
    for (const auto& file : manifest["files"]) {
        const auto row = table.row();
        {
            const auto cell = page.open("th", {{"scope", "row"}, {"class", "mono"}});
            page.lines(text_of(file, "path"), {1, 200});
        }
        put_number_cell(page, size_of(file));
        page.leaf("td", {{"class", "mono hash"}}, text_of(file, "sha256"));
    }
}

}  // namespace rig::reports
