// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "console_server.hpp"
#include "faults.hpp"
#include "realtime.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vbench {

enum class Power { off, on };

/// The command line of rig-vbench.
struct Options {
    /// A firmware's name or folder; empty when `guest` is given.
    std::string firmware;
    /// A shell command run in QEMU's place.
    std::string guest;
    std::string append;
    std::uint32_t baud = 115200;
    /// Where the sockets lie; a fresh folder when not given.
    std::optional<std::filesystem::path> dir;
    std::uint16_t analyzer_port = 0;
    ConsoleKind console = ConsoleKind::unix_socket;
    std::vector<Fault> faults;
    Power power = Power::off;
    /// What ends the bench besides signals and `quit`.
    enum class Lifetime { own, of_stdin } lifetime = Lifetime::own;
    RealtimeWish realtime = RealtimeWish::automatic;
};

/// A text that was asked for in place of a run: --help, --version.
struct Information {
    std::string text;
};

/// Reads the command line. Throws UsageTrouble.
std::variant<Options, Information> parse_options(int argc, const char* const* argv);

}  // namespace vbench
