// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/list.hpp"

#include "cli/completion/command_line.hpp"
#include "cli/lab_file.hpp"
#include "drivers/analyzer/sigrok/analyzer_list.hpp"
#include "drivers/console/serial/serial_ports.hpp"
#include "rig/error.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct Options {
    std::string what;
    std::string lab;
    std::string plans = "testplans";
    bool json = false;
};

/// A table whose columns have the keys of its first row as titles, and a sentence for when it is empty.
struct Listing {
    std::vector<json> rows;
    std::string when_empty;
};

std::string cell(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string text;
    for (const auto& item : value) text += (text.empty() ? "" : " ") + cell(item);
    return text;
}

void print_table(const std::vector<json>& rows) {
    std::vector<std::size_t> widths;
    std::vector<std::vector<std::string>> lines(1);
    for (const auto& [title, unused] : rows.front().items()) lines[0].push_back(title);
    for (const auto& row : rows) {
        lines.emplace_back();
        for (const auto& value : row) lines.back().push_back(value == "" ? "-" : cell(value));
    }
    for (std::size_t column = 0; column < lines[0].size(); ++column) {
        std::size_t width = 0;
        for (const auto& line : lines) width = std::max(width, line[column].size());
        widths.push_back(width);
    }
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t column = 0; column < line.size(); ++column)
            text += fmt::format("{:<{}}  ", line[column], widths[column]);
        std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
    }
}

Listing ports() {
    Listing listing{{}, "no serial port: is the adapter plugged in? dmesg says what the kernel saw"};
    for (const auto& port : drivers::list_serial_ports())
        listing.rows.push_back({{"port", port.name},
                                {"usb serial", port.usb_serial},
                                {"usb place", port.usb_place},
                                {"usb ids", port.usb_ids},
                                {"held by", drivers::holders_of(port.name)},
                                {"description", port.description}});
    return listing;
}

Listing analyzers() {
    Listing listing{{}, "no logic analyzer answers on USB; one with an address is not looked for"};
    for (const auto& found : drivers::list_analyzers())
        listing.rows.push_back({{"sigrok", found.driver},
                                {"vendor", found.vendor},
                                {"model", found.model},
                                {"version", found.version},
                                {"channels", found.channels}});
    return listing;
}

std::string describe(const lab::ConsoleLine& line) {
    struct Describe {
        std::string operator()(const lab::UnixLine& unix_line) const { return "unix:" + unix_line.path; }
        std::string operator()(const lab::TcpLine& tcp) const { return "tcp:" + tcp.address; }
        std::string operator()(const lab::PtyLine& pty) const { return "pty:" + pty.path; }
        std::string operator()(const lab::TtyLine& tty) const { return "tty:" + tty.path; }
        std::string operator()(const lab::UsbLine& usb) const {
            return usb.serial.empty() ? "usb at " + usb.place : "usb:" + usb.serial;
        }
    };
    return std::visit(Describe{}, line);
}

Listing stations(const std::string& lab_file) {
    const auto document = yaml::Document::load(choose_lab(lab_file));
    Listing listing{{}, document.name() + " lists no station"};
    for (const auto& name : lab::station_names(document)) {
        const auto station = lab::read_station(document, name);
        listing.rows.push_back({{"station", name},
                                {"target", station.board.target},
                                {"console", describe(station.console.line)},
                                {"baud", station.console.baud.value},
                                {"analyzer", station.analyzer.sigrok}});
    }
    return listing;
}

std::string first_sentence(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    const auto end = text.find(". ");
    if (end != std::string::npos) text.resize(end + 1);
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

Listing plans(const std::string& folder) {
    Listing listing{{}, fmt::format("no plan in {}", folder)};
    std::vector<fs::path> files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code)) {
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
    if (code) throw PlanError(fmt::format("{} cannot be read: {}", folder, code.message()), "name a folder of plans");
    std::ranges::sort(files);
    for (const auto& file : files) {
        const auto plan = plan::read_plan(yaml::Document::load(file));
        listing.rows.push_back({{"file", file.string()}, {"plan", plan.name}, {"about", first_sentence(plan.about)}});
    }
    return listing;
}

int list(const Options& options) {
    const auto listing = options.what == "ports"       ? ports()
                         : options.what == "analyzers" ? analyzers()
                         : options.what == "stations"  ? stations(options.lab)
                                                       : plans(options.plans);
    if (options.json)
        std::cout << json(listing.rows).dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    else if (listing.rows.empty())
        std::cout << listing.when_empty << "\n";
    else
        print_table(listing.rows);
    return 0;
}

}  // namespace

std::function<int()> add_list(CLI::App& app) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("list", "List the serial ports, analyzers, stations or plans that are here");
    command->add_option("what", options->what, "What to list")
        ->required()
        ->check(CLI::IsMember({"ports", "analyzers", "stations", "plans"}))
        ->type_name("ports|analyzers|stations|plans");
    command->add_option("--lab", options->lab, "The lab file (default: $RIG_LAB, or lab/virtual.yaml)")
        ->type_name(completion::placeholder::lab);
    command->add_option("--plans", options->plans, "The folder of plans")
        ->capture_default_str()
        ->type_name(completion::placeholder::folder);
    command->add_flag("--json", options->json, "A JSON array of objects");
    command->footer(
        "Examples:\n  rig list ports\n  rig list stations --lab lab/virtual.yaml\n  rig list analyzers --json\n\n"
        "What `ports` calls usb serial and usb place is what a lab file names as console: { usb: { serial: …, or: … } "
        "}.");
    return [options] { return list(*options); };
}

}  // namespace rig::cli
