// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.hpp"

#include "trouble.hpp"

#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace vbench {

namespace {

constexpr std::uint32_t slowest_baud = 50;
constexpr std::uint32_t fastest_baud = 4'000'000;

constexpr std::string_view about =
    "A virtual bench: an ARM board in QEMU whose UART runs at its true pace, with a logic analyzer (BeagleLogic over "
    "TCP) on its\n"
    "pins, its console on a unix socket (or a TCP port, or a pseudo terminal) and a control socket. Prints one line of "
    "JSON when it is ready.";

constexpr std::string_view control_help =
    "Control socket (DIR/control), one line in, one JSON object out:\n"
    "  power on|off|reset|state   fault NAME[:key=value,...]   fault clear   window begin   window end   stats   "
    "quit\n";

constexpr std::string_view key_help =
    "Keys: capture=N the N-th capture since the start (every one when not given), at=SAMPLE, samples=N, byte=K the "
    "K-th TX byte\n"
    "since the capture's start, ms=M, channel=tx|rx|marker.\n";

std::string keys_of(const FaultRow& row) {
    std::string text(row.needs);
    if (!row.takes.empty()) text += fmt::format("{}[{}]", text.empty() ? "" : " ", row.takes);
    return text;
}

std::string fault_help() {
    std::string text = "Faults:\n";
    for (const FaultRow& row : fault_table()) {
        text += fmt::format("  {:<20} {:<20} {}\n{:44}must produce: {}\n", row.name, keys_of(row), row.strikes, "",
                            row.must_produce);
    }
    return text;
}

std::vector<Fault> parse_faults(const std::vector<std::string>& texts) {
    std::vector<Fault> faults;
    for (const std::string& text : texts) {
        auto fault = parse_fault(text);
        if (!fault) throw UsageTrouble(fmt::format("--fault {}: {}", text, fault.error()));
        faults.push_back(*fault);
    }
    return faults;
}

}  // namespace

std::variant<Options, Information> parse_options(int argc, const char* const* argv) {
    Options options;
    std::vector<std::string> faults;
    std::string dir;
    bool until_stdin_closes = false;
    CLI::App app(std::string(about), "rig-vbench");
    auto* const firmware = app.add_option("--firmware", options.firmware, "built firmware: its name or its folder");
    app.add_option("--guest", options.guest,
                   "shell command run in QEMU's place: UART on standard input and output, QEMU's log on descriptor 3")
        ->excludes(firmware);
    app.add_option("--append", options.append, "more kernel arguments");
    app.add_option("--baud", options.baud, "rate of the UART")
        ->check(CLI::Range(slowest_baud, fastest_baud))
        ->capture_default_str();
    app.add_option("--dir", dir, "folder of the sockets; made when it is not there");
    app.add_option("--analyzer-port", options.analyzer_port, "TCP port on 127.0.0.1; 0 takes a free one")
        ->capture_default_str();
    app.add_option("--console", options.console, "how the console is reached: unix, tcp or pty")
        ->transform(CLI::CheckedTransformer(std::map<std::string, ConsoleKind>{
            {"unix", ConsoleKind::unix_socket}, {"tcp", ConsoleKind::tcp}, {"pty", ConsoleKind::pty}}));
    app.add_option("--fault", faults, "something that goes wrong; may be repeated")->allow_extra_args(false);
    app.add_option("--power", options.power, "the board at the start: on or off")
        ->transform(CLI::CheckedTransformer(std::map<std::string, Power>{{"on", Power::on}, {"off", Power::off}}));
    app.add_option("--rt", options.realtime, "real-time priority for pacer and guest: auto or off")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, RealtimeWish>{{"auto", RealtimeWish::automatic}, {"off", RealtimeWish::off}}));
    app.add_flag("--until-stdin-closes", until_stdin_closes, "end when standard input ends");
    app.set_version_flag("--version", "rig-vbench 0.1.0");
    app.footer(fmt::format("{}\n{}{}", control_help, fault_help(), key_help));
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return Information{app.help()};
    } catch (const CLI::CallForVersion&) {
        return Information{"rig-vbench 0.1.0\n"};
    } catch (const CLI::ParseError& error) {
        throw UsageTrouble(fmt::format("{}; see rig-vbench --help", error.what()));
    }
    if (options.firmware.empty() && options.guest.empty()) {
        throw UsageTrouble("no board is named; give --firmware NAME, such as --firmware versatilepb-6.1");
    }
    options.faults = parse_faults(faults);
    if (!dir.empty()) options.dir = dir;
    if (until_stdin_closes) options.lifetime = Options::Lifetime::of_stdin;
    return options;
}

}  // namespace vbench
