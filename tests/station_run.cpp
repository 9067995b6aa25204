// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/station_run.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <regex>
#include <sys/wait.h>

#include <fmt/format.h>

namespace rig::tests {

using json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string small_plan =
    "plan: small\nneeds: { analyzer: [tx] }\nwants: { target: [printk_test, irq_latency, marker] }\n"
    "cases:\n  - { case: sync, stimulus: { shell: sync }, trials: 3 }\n"
    "checks:\n  - { agree: [irq_off, wire], within: 3 % + 500 us, in at least: 60 % }\n";

}  // namespace

Outcome shell(const std::string& command) {
    Outcome outcome;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((command + " 2>&1 </dev/null").c_str(), "r"),
                                                     [](FILE*) { return 0; });
    std::array<char, 4096> block{};
    std::size_t count = 0;
    while ((count = std::fread(block.data(), 1, block.size(), pipe.get())) > 0)
        outcome.output.append(block.data(), count);
    const int status = ::pclose(pipe.get());
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

std::string quoted(const std::string& text) {
    return "'" + std::regex_replace(text, std::regex("'"), "'\\''") + "'";
}

std::unique_ptr<StationRun> rig_run(const std::string& arguments, const std::string& before) {
    auto run = std::make_unique<StationRun>();
    const auto runs = run->folder.path() / "runs";
    const auto plan = run->folder.path() / "small.yaml";
    std::ofstream(plan) << small_plan;
    const auto command = fmt::format(
        "{}cd {} && {} run {} --runs {}", before, quoted(RIG_SOURCE_DIR), quoted(RIG_PROGRAM),
        arguments.empty() || arguments.starts_with("--") ? quoted(plan.string()) + " " + arguments : arguments,
        quoted(runs.string()));
    run->outcome = shell(command);
    if (fs::exists(runs)) run->bundle = *fs::directory_iterator(runs);
    if (fs::exists(run->bundle / "derived/result.json"))
        run->result = json::parse(std::ifstream(run->bundle / "derived/result.json"));
    return run;
}

std::string fault(const std::string& text) {
    return "--set " + quoted("virtual.faults=['" + text + "']");
}

const std::string busy_host =
    "--set 'certificate.run delay=25 ms' --set 'certificate.pacer slip=3 ms' --set certificate.retries=6 "
    "--set 'certificate.rejected at most=100 %' ";

std::vector<json> trials_of(const json& result) {
    std::vector<json> trials;
    for (const auto& one : result.at("cases")) {
        for (const auto& point : one.at("points")) {
            for (const auto& trial : point.at("trials")) trials.push_back(trial);
        }
    }
    return trials;
}

std::vector<std::string> red_lines(const json& trial) {
    std::vector<std::string> red;
    for (const auto& line : trial.at("certificate")) {
        if (line.at("ok") == false) red.push_back(line.at("line"));
    }
    return red;
}

}  // namespace rig::tests
