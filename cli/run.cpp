// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/run.hpp"

#include "cli/bench.hpp"
#include "cli/completion/command_line.hpp"
#include "cli/derive.hpp"
#include "cli/lab_file.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "rig/analysis/result_json.hpp"
#include "rig/error.hpp"
#include "rig/evidence/recorder.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"
#include "rig/session/session.hpp"

#include <csignal>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

namespace rig::cli {
namespace {

struct Options {
    std::string plan;
    std::string lab;
    std::optional<std::string> station;
    std::string runs = "runs";
    std::vector<std::string> set;
    bool json = false;
};

/// The plan and the lab file with every --set in place.
struct Documents {
    yaml::Document plan;
    yaml::Document lab;
};

/// A --set belongs to the document whose first key it names; both have a `console`, so that one asks for the second.
bool is_of_plan(const yaml::Override& change) {
    for (const std::string_view key : {"plan", "about", "needs", "wants", "setup", "certificate", "cases", "checks"}) {
        if (change.path == key || change.path.starts_with(std::string(key) + ".")) return true;
    }
    return change.path == "console.loglevel";
}

Documents apply(Documents documents, const std::vector<std::string>& settings, const std::string& station) {
    for (const auto& text : settings) {
        const auto change = yaml::Override::parse(text);
        if (is_of_plan(change))
            documents.plan = documents.plan.with(change);
        else
            documents.lab = with_station_value(documents.lab, station, change);
    }
    return documents;
}

/// A bundle goes to people whom a password is no concern of.
yaml::Document without_password(const yaml::Document& lab_file, const std::string& name) {
    const auto login = lab::read_station(lab_file, name).boot.login;
    if (!login || login->password.empty()) return lab_file;
    return with_station_value(lab_file, name, yaml::Override::parse("boot.login.password=masked"));
}

/// The lab file with this station only, as the bundle keeps it.
std::string station_text(const yaml::Document& lab_file, const std::string& name) {
    yaml::Map map(lab_file.root());
    for (const auto& entry : map.require("stations", "").as_entries()) {
        if (entry.name != name) continue;
        std::string indented;
        std::string body = entry.value.emit();
        for (std::size_t at = 0; at < body.size();) {
            const auto end = body.find('\n', at);
            indented += "    " + body.substr(at, end - at) + "\n";
            at = end + 1;
        }
        return fmt::format("stations:\n  {}:\n{}", name, indented);
    }
    throw RigError(fmt::format("station '{}' vanished from {}", name, lab_file.name()));
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::unique_ptr<session::Observer> choose_progress(const Options& options) {
    if (options.json) return make_progress(ProgressStyle::json);
    return make_progress(is_capable_terminal(STDERR_FILENO) ? ProgressStyle::live : ProgressStyle::lines);
}

/// A handler that throws would leave the recording suspended in mid-trial, with the board on and the bundle open: the
/// recording is told instead, and comes to its own end.
void run_to_the_end(boost::asio::io_context& io, session::Interrupt& interrupt) {
    for (bool ended = false; !ended;) {
        try {
            io.run();
            ended = true;
        } catch (const std::exception& error) {
            interrupt.request(fmt::format("the run was cut off: {}", error.what()));
        }
    }
}

/// Runs the recording on this thread until it is over, however that comes.
void record(const lab::Station& station, const plan::Plan& plan, evidence::Recorder& recorder,
            session::Observer& observer) {
    boost::asio::io_context io(1);
    session::Interrupt interrupt;
    boost::asio::signal_set signals(io, SIGINT, SIGTERM);
    signals.async_wait([&interrupt](boost::system::error_code error, int signal) {
        if (!error) interrupt.request(fmt::format("the run was interrupted by signal {}", signal));
    });
    observer.step("starting the station");
    std::optional<Bench> bench;
    try {
        bench.emplace(io, station);
    } catch (const Error& error) {
        recorder.end(host_time{}, evidence::Failure::of(error));
        recorder.seal();
        return;
    }
    std::exception_ptr failed;
    boost::asio::co_spawn(io, session::record_run(bench->instruments(), station, plan, recorder, observer, interrupt),
                          [&](std::exception_ptr error) {
                              failed = error;
                              signals.cancel();
                              io.stop();
                          });
    run_to_the_end(io, interrupt);
    if (failed) std::rethrow_exception(failed);
}

/// For a machine that reads standard output: what kept the run from having a result.
void print_error(const Error& error) {
    const nlohmann::ordered_json object{{"error",
                                         {{"culprit", name_of(error.culprit())},
                                          {"what", error.what()},
                                          {"hint", error.hint()},
                                          {"exit_code", exit_code_of(error.culprit())}}}};
    std::cout << object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

int run(const Options& options) {
    Documents documents{yaml::Document::load(options.plan), yaml::Document::load(choose_lab(options.lab))};
    const auto name = choose_station(documents.lab, options.station);
    documents = apply(std::move(documents), options.set, name);
    const auto plan = plan::read_plan(documents.plan);
    const auto station = lab::read_station(documents.lab, name);
    session::require(plan, station);

    const evidence::RunInfo info{RIG_VERSION, plan.name, station.name, utc_now()};
    evidence::Recorder recorder(evidence::create_bundle(options.runs, info), info, documents.plan.text(),
                                station_text(without_password(documents.lab, name), name));
    recorder.event(
        host_time{}, "run",
        {{"rig", info.rig_version}, {"plan", info.plan}, {"station", info.station}, {"started_utc", info.started_utc}});
    {
        const auto progress = choose_progress(options);
        progress->step(fmt::format("{} on {}, recording into {}", plan.name, station.name, recorder.bundle().string()));
        record(station, plan, recorder, *progress);
    }
    const auto bundle = evidence::Bundle::open(recorder.bundle());
    const auto result = derive(bundle);
    if (options.json)
        std::cout << analysis::to_json(result).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                  << std::endl;
    else
        print_outcome(bundle);
    return result.exit_code();
}

}  // namespace

std::function<int()> add_run(CLI::App& app) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("run", "Run a plan on a station: record, analyse, report");
    command->add_option("plan", options->plan, "The plan, a YAML file")->required()->type_name("PLAN.yaml");
    command
        ->add_option("--lab", options->lab,
                     "The lab file that lists the stations (default: $RIG_LAB, or lab/virtual.yaml)")
        ->type_name(completion::placeholder::lab);
    command->add_option("--station", options->station, "The station (default: the lab file's first)")
        ->type_name(completion::placeholder::station);
    command
        ->add_option("--set", options->set, "Change one value of the plan or the station: PATH=VALUE, more than once")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
    command->add_option("--runs", options->runs, "The folder for bundles")
        ->capture_default_str()
        ->type_name(completion::placeholder::folder);
    command->add_flag("--json", options->json, "One JSON object a line: progress, and the result or the error last");
    command->footer(
        "Examples:\n"
        "  rig run testplans/printk.yaml\n"
        "  rig run testplans/printk.yaml --lab lab/virtual.yaml --station versatilepb-hrt\n"
        "  rig run testplans/printk.yaml --set cases.0.trials=50 --set analyzer.samplerate='4 MHz'\n\n"
        "Exit codes: 0 pass, 1 fail (the board), 2 inconclusive, 3 bench, 4 plan or usage, 5 a bug of rig.");
    return [options] {
        try {
            return run(*options);
        } catch (const Error& error) {
            if (options->json) print_error(error);
            throw;
        }
    };
}

}  // namespace rig::cli
