// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion.hpp"
#include "cli/decode.hpp"
#include "cli/doctor.hpp"
#include "cli/lint.hpp"
#include "cli/list.hpp"
#include "cli/recover.hpp"
#include "cli/replay.hpp"
#include "cli/report.hpp"
#include "cli/run.hpp"
#include "reports/model/visible_text.hpp"
#include "rig/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

/// The one place where an error becomes text and an exit code. File names and what a target said stand in it: bytes
/// that would steer a terminal are shown as what they are.
int tell(const rig::Error& error) {
    std::cerr << fmt::format("rig: {}: {}", name_of(error.culprit()), rig::reports::visible_text(error.message()))
              << std::endl;
    return exit_code_of(error.culprit());
}

int usage(CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    std::cerr << fmt::format("rig: plan: {} (rig --help shows the commands, rig COMMAND --help their options)",
                             rig::reports::visible_text(error.what()))
              << std::endl;
    return exit_code_of(rig::Culprit::plan);
}

/// What was printed must have arrived. A reader that has seen enough and left (`| head`) is no failure.
int arrived(int code) {
    errno = 0;
    std::cout.flush();
    if (std::cout.good() || errno == EPIPE) return code;
    return tell(rig::BenchError(fmt::format("standard output cannot be written: {}", std::strerror(errno)),
                                "free some space, or send it elsewhere"));
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that goes away is told by write errors; libsigrok's drivers write to sockets without MSG_NOSIGNAL.
    std::signal(SIGPIPE, SIG_IGN);
    // A file that may not grow (ulimit -f) is an error of the write, too.
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app(
        "rig measures what a kernel's console output costs: wire time, IRQ-off time and lost ticks of a printk.",
        "rig");
    app.set_version_flag("--version", RIG_VERSION);
    app.require_subcommand(1);
    const std::map<std::string, std::function<int()>> actions{
        {"run", rig::cli::add_run(app)},
        {"replay", rig::cli::add_replay(app)},
        {"report", rig::cli::add_report(app)},
        {"recover", rig::cli::add_recover(app)},
        {"lint", rig::cli::add_lint(app)},
        {"list", rig::cli::add_list(app)},
        {"doctor", rig::cli::add_doctor(app)},
        {"decode", rig::cli::add_decode(app)},
        {"completion", rig::cli::add_completion(app)},
    };
    try {
        app.parse(argc, argv);
        return arrived(actions.at(app.get_subcommands().front()->get_name())());
    } catch (const CLI::ParseError& error) {
        return arrived(usage(app, error));
    } catch (const rig::Error& error) {
        return tell(error);
    } catch (const std::exception& error) {
        return tell(rig::RigError(error.what(), "this is a bug of rig: please report it"));
    }
}
