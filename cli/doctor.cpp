// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/doctor.hpp"

#include "cli/bench.hpp"
#include "cli/completion/command_line.hpp"
#include "cli/examination.hpp"
#include "cli/lab_file.hpp"
#include "drivers/host/host_health.hpp"
#include "rig/error.hpp"
#include "rig/health/finding.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::cli {
namespace {

using health::Finding;
using health::Mark;

struct Options {
    std::string lab;
    std::optional<std::string> station;
    std::vector<std::string> set;
    bool json = false;
};

std::string_view name_of(Mark mark) {
    switch (mark) {
        case Mark::good:
            return "good";
        case Mark::doubtful:
            return "doubtful";
        case Mark::bad:
            return "bad";
    }
    return "bad";
}

std::string_view sign_of(Mark mark) {
    return mark == Mark::good ? "✓" : mark == Mark::doubtful ? "?" : "✗";
}

/// Prints findings as they come.
class Printer {
public:
    enum class Style { text, json };
    explicit Printer(Style style) : style_(style) {}

    void print(const Finding& finding) {
        worst_ = std::max(worst_, finding.mark);
        if (style_ == Style::json) {
            const nlohmann::ordered_json line{{"about", finding.about},
                                              {"mark", name_of(finding.mark)},
                                              {"what", finding.what},
                                              {"hint", finding.hint}};
            std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
            return;
        }
        std::cout << fmt::format("{} {:<18} {}", sign_of(finding.mark), finding.about, finding.what) << std::endl;
        if (!finding.hint.empty()) std::cout << fmt::format("{:21}hint: {}", "", finding.hint) << std::endl;
    }
    [[nodiscard]] Mark worst() const { return worst_; }

private:
    Style style_;
    Mark worst_ = Mark::good;
};

void examine_instruments(const lab::Station& station, Printer& printer) {
    boost::asio::io_context io(1);
    std::optional<Bench> bench;
    try {
        bench.emplace(io, station);
    } catch (const BenchError& error) {
        printer.print({Mark::bad, "station", error.what(), error.hint()});
        return;
    }
    Examination examination(bench->instruments(), station, [&](const Finding& finding) { printer.print(finding); });
    std::exception_ptr failed;
    boost::asio::co_spawn(io, examination.all(), [&](std::exception_ptr error) { failed = std::move(error); });
    io.run();
    if (failed) std::rethrow_exception(failed);
}

int doctor(const Options& options) {
    auto lab_file = yaml::Document::load(choose_lab(options.lab));
    const auto name = choose_station(lab_file, options.station);
    for (const auto& text : options.set) lab_file = with_station_value(lab_file, name, yaml::Override::parse(text));
    const auto station = lab::read_station(lab_file, name);
    Printer printer(options.json ? Printer::Style::json : Printer::Style::text);
    for (const auto& finding : drivers::judge_host(station)) printer.print(finding);
    examine_instruments(station, printer);
    return printer.worst() == Mark::bad ? exit_code_of(Culprit::bench) : 0;
}

}  // namespace

std::function<int()> add_doctor(CLI::App& app) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("doctor", "Look at a station: host, console, analyzer, each probe, the baud");
    command
        ->add_option("--lab", options->lab,
                     "The lab file that lists the stations (default: $RIG_LAB, or lab/virtual.yaml)")
        ->type_name(completion::placeholder::lab);
    command->add_option("--station", options->station, "The station (default: the lab file's first)")
        ->type_name(completion::placeholder::station);
    command->add_option("--set", options->set, "Change one value of the station: PATH=VALUE, more than once")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
    command->add_flag("--json", options->json, "One JSON object a line, one for each thing that was looked at");
    command->footer(
        "Examples:\n  rig doctor\n  rig doctor --lab lab/desk.yaml --station desk\n\n"
        "The board is switched on where rig can do that, and gets an Enter on its console where it cannot. Exits 3 "
        "when\n"
        "something is bad.");
    return [options] { return doctor(*options); };
}

}  // namespace rig::cli
