// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"
#include "rig/yaml/document.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A station: one board with its instruments on one bench, as its lab file describes it.
namespace rig::lab {

struct Board {
    std::string target;                 ///< the firmware-target folder, for people
    std::string uart_type;              ///< "pl011", "8250", …; empty when not stated
    std::optional<unsigned> uart_fifo;  ///< transmit FIFO in frames
    std::string module;                 ///< on the target: path of rig_target.ko and its parameters; empty: none
};

// Where a board's console is reached. Texts may hold ${bench.…} until the bench runs.

struct UnixLine {
    std::string path;
};
struct TcpLine {
    std::string address;  ///< HOST:PORT
};
struct PtyLine {
    std::string path;
};
/// A serial port whose name cannot change, such as one on the main board.
struct TtyLine {
    std::string path;
};
/// A USB serial adapter: its serial number, the place it is plugged into, or both; the place then decides where the
/// number does not.
struct UsbLine {
    std::string serial;
    std::string place;
};
using ConsoleLine = std::variant<UnixLine, TcpLine, PtyLine, TtyLine, UsbLine>;

struct ConsoleSpec {
    ConsoleLine line;
    Baud baud{115200};
};

/// Fewer samples than this for each bit do not tell one bit from the next.
inline constexpr std::uint64_t least_samples_per_bit = 4;

/// The sample rate of a station that states none: the lowest of those that common analyzers offer that gives 16 samples
/// for each bit, and no less than 2 MHz, since the other channels do not slow down with the wire.
SampleRate samplerate_for(Baud baud);

struct AnalyzerSpec {
    std::string sigrok;  ///< libsigrok driver string, "fx2lafw", "beaglelogic:conn=…"
    SampleRate samplerate{0};
    std::map<std::string, std::string> channels;  ///< tx, rx, marker, heartbeat → the driver's channel name
    double clock_within = 100e-6;                 ///< stated limit of the analyzer clock's error, as a ratio
};

/// Who logs in at the console, and how that user becomes root.
struct LoginSpec {
    enum class Root { as_it_is, sudo };

    std::string user;
    std::string password;  ///< empty: none is asked for. Never in a bundle.
    Root root = Root::as_it_is;
};

struct BootSpec {
    std::string prompt = "~ # ";
    std::optional<LoginSpec> login;  ///< none: a shell is there without one
    std::chrono::nanoseconds within{std::chrono::seconds{60}};
};

/// A station that is a program: started before the run, ended with it. Its power is switched through it.
struct VirtualSpec {
    std::string start;                ///< command line; the bench's own options are appended
    std::vector<std::string> faults;  ///< each becomes `--fault …`
};

struct Station {
    std::string name;
    Board board;
    ConsoleSpec console;
    AnalyzerSpec analyzer;
    BootSpec boot;
    std::optional<VirtualSpec> bench;
};

/// The names of the stations of a lab file, in its order.
std::vector<std::string> station_names(const yaml::Document& lab_file);

/// The station of that name; a PlanError with the place when the file is wrong or has no such station.
Station read_station(const yaml::Document& lab_file, const std::string& name);

/// `text` with ${key} replaced; a PlanError naming the unknown key.
std::string expand(const std::string& text, const std::map<std::string, std::string>& values);

}  // namespace rig::lab
