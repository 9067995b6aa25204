// SPDX-License-Identifier: GPL-3.0-or-later
// rig-vbench: the virtual bench as a program.

#include "bench.hpp"
#include "options.hpp"
#include "trouble.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

void run_bench(const vbench::Options& options) {
    vbench::Bench bench(options);
    bench.begin();
    fmt::print("{}\n", bench.ready().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
    bench.run();
}

int complain(const std::exception& error, int exit_code) {
    fmt::print(stderr, "rig-vbench: {}\n", error.what());
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    // A client that goes away is an error of one write, not the end of the bench.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const auto parsed = vbench::parse_options(argc, argv);
        if (const auto* information = std::get_if<vbench::Information>(&parsed)) {
            fmt::print("{}", information->text);
        } else {
            run_bench(std::get<vbench::Options>(parsed));
        }
        return EXIT_SUCCESS;
    } catch (const vbench::UsageTrouble& trouble) {
        return complain(trouble, vbench::exit_usage_trouble);
    } catch (const std::exception& trouble) {
        return complain(trouble, vbench::exit_bench_trouble);
    }
}
