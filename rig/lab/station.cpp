// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/lab/station.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace rig::lab {
namespace {

/// It is typed into a root shell as it is: a path and its parameters, and nothing that a shell would do more with.
std::string as_module(const yaml::Node& node) {
    constexpr std::string_view others = "/._-+=,: ";
    std::string line = node.as_line();
    const bool plain = std::ranges::all_of(
        line, [&](unsigned char c) { return std::isalnum(c) != 0 || others.contains(static_cast<char>(c)); });
    if (!plain || !line.starts_with('/'))
        node.fail(fmt::format("is '{}', which is no path with parameters", line),
                  "try /root/rig_target.ko marker_chip=gpiochip0 marker_line=4");
    return line;
}

Board read_board(const yaml::Node& node) {
    yaml::Map map(node);
    Board board;
    if (auto target = map.find("target")) board.target = target->as_line();
    if (auto uart = map.find("uart")) {
        yaml::Map uart_map(*uart);
        if (auto type = uart_map.find("type")) board.uart_type = type->as_line();
        if (auto fifo = uart_map.find("fifo")) board.uart_fifo = static_cast<unsigned>(fifo->as_count(1, 4096));
        uart_map.done();
    }
    if (auto module = map.find("module")) board.module = as_module(*module);
    map.done();
    return board;
}

/// The path of a device, or what will be one when the bench runs.
std::string as_device(const yaml::Node& node, const std::string& example) {
    std::string path = node.as_line();
    if (!path.starts_with("/dev/") && !path.starts_with("${"))
        node.fail(fmt::format("is '{}', which is no device's path", path), "try " + example);
    return path;
}

TtyLine read_tty(const yaml::Node& node) {
    TtyLine line{as_device(node, "/dev/ttyS0")};
    for (const std::string_view numbered : {"/dev/ttyUSB", "/dev/ttyACM"}) {
        if (line.path.starts_with(numbered))
            node.fail(fmt::format("is '{}', a name that another adapter has after the next replug", line.path),
                      "name the adapter: usb: { serial: … }, as rig list ports shows it");
    }
    return line;
}

UsbLine read_usb(const yaml::Node& node) {
    yaml::Map map(node);
    UsbLine line;
    const auto serial = map.find("serial");
    const auto fallback = map.find("or");
    const auto place = map.find("at");
    map.done();
    if (serial.has_value() == place.has_value() || (place && fallback))
        node.fail("names its adapter by serial, by serial and or, or by at",
                  "try usb: { serial: A10LK5HT }, or usb: { at: '1-1.4:1.0' }");
    if (serial) line.serial = serial->as_line();
    if (fallback) line.place = fallback->as_line();
    if (place) line.place = place->as_line();
    return line;
}

ConsoleLine read_line(yaml::Map& map) {
    std::vector<ConsoleLine> lines;
    if (auto path = map.find("unix")) lines.emplace_back(UnixLine{path->as_line()});
    if (auto address = map.find("tcp")) lines.emplace_back(TcpLine{address->as_line()});
    if (auto path = map.find("pty")) lines.emplace_back(PtyLine{as_device(*path, "/dev/pts/3")});
    if (auto path = map.find("tty")) lines.emplace_back(read_tty(*path));
    if (auto adapter = map.find("usb")) lines.emplace_back(read_usb(*adapter));
    if (lines.size() != 1)
        map.node().fail("wants exactly one of unix, tcp, pty, tty and usb",
                        "try usb: { serial: A10LK5HT }; rig list ports shows what is plugged in");
    return lines.front();
}

ConsoleSpec read_console(const yaml::Node& node) {
    yaml::Map map(node);
    ConsoleSpec console;
    console.line = read_line(map);
    console.baud.value = static_cast<std::uint32_t>(map.require("baud", "baud: 115200").as_count(50, 20'000'000));
    map.done();
    return console;
}

std::map<std::string, std::string> read_channels(const yaml::Node& node) {
    yaml::Map map(node);
    std::map<std::string, std::string> channels;
    for (const std::string name : {"tx", "rx", "marker", "heartbeat"}) {
        const auto channel = map.find(name);
        if (!channel) continue;
        const std::string text = channel->as_line();
        for (const auto& [other, taken] : channels) {
            if (taken == text) channel->fail(fmt::format("is on '{}', and so is {}", text, other));
        }
        channels[name] = text;
    }
    map.done();
    return channels;
}

SampleRate read_samplerate(const yaml::Node& node, Baud baud) {
    const SampleRate rate{node.as_frequency()};
    if (rate.hz < least_samples_per_bit * baud.value)
        node.fail(fmt::format("is {:.1f} samples for each bit at {} baud, at least {} are needed",
                              static_cast<double>(rate.hz) / baud.value, baud.value, least_samples_per_bit),
                  fmt::format("try {} MHz, or leave samplerate out", (samplerate_for(baud).hz + 999'999) / 1'000'000));
    return rate;
}

AnalyzerSpec read_analyzer(const yaml::Node& node, Baud baud) {
    yaml::Map map(node);
    AnalyzerSpec analyzer;
    analyzer.sigrok = map.require("sigrok", "sigrok: fx2lafw").as_line();
    const auto samplerate = map.find("samplerate");
    analyzer.samplerate = samplerate ? read_samplerate(*samplerate, baud) : samplerate_for(baud);
    analyzer.channels = read_channels(map.require("channels", "channels: { tx: D0 }"));
    if (auto clock = map.find("clock")) {
        yaml::Map clock_map(*clock);
        analyzer.clock_within = clock_map.require("within", "within: 50 ppm").as_ratio();
        clock_map.done();
    }
    map.done();
    return analyzer;
}

LoginSpec read_login(const yaml::Node& node) {
    yaml::Map map(node);
    LoginSpec login{.user = map.require("user", "user: root").as_line(), .password = {}};
    if (auto password = map.find("password")) login.password = password->as_line();
    if (auto root = map.find("root by")) login.root = std::array{LoginSpec::Root::sudo}[root->as_one_of({"sudo"})];
    map.done();
    return login;
}

BootSpec read_boot(const yaml::Node& node) {
    yaml::Map map(node);
    BootSpec boot;
    if (auto prompt = map.find("prompt")) boot.prompt = prompt->as_line();
    if (auto within = map.find("within")) boot.within = within->as_duration();
    if (auto login = map.find("login")) boot.login = read_login(*login);
    map.done();
    return boot;
}

VirtualSpec read_virtual(const yaml::Node& node) {
    yaml::Map map(node);
    VirtualSpec bench;
    bench.start = map.require("start", "start: rig-vbench --firmware versatilepb-6.1").as_line();
    if (auto faults = map.find("faults")) {
        for (const auto& fault : faults->as_list()) bench.faults.push_back(fault.as_line());
    }
    map.done();
    return bench;
}

/// The name is a word of paths: --set names values below it, and a bundle's folder bears it.
bool is_station_name(std::string_view name) {
    return !name.empty() &&
           std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

Station read_body(const std::string& name, const yaml::Node& node) {
    yaml::Map map(node);
    Station station;
    station.name = name;
    if (auto board = map.find("board")) station.board = read_board(*board);
    station.console = read_console(map.require("console", "console: { unix: …, baud: 115200 }"));
    station.analyzer = read_analyzer(map.require("analyzer", "analyzer: { sigrok: fx2lafw, … }"), station.console.baud);
    if (auto boot = map.find("boot")) station.boot = read_boot(*boot);
    if (auto bench = map.find("virtual")) station.bench = read_virtual(*bench);
    map.done();
    return station;
}

yaml::Node stations_of(const yaml::Document& lab_file) {
    yaml::Map map(lab_file.root());
    auto stations = map.require("stations", "stations: { desk: { … } }");
    map.done();
    return stations;
}

}  // namespace

SampleRate samplerate_for(Baud baud) {
    constexpr std::array<std::uint64_t, 6> offered{2'000'000, 4'000'000, 8'000'000, 16'000'000, 24'000'000, 48'000'000};
    constexpr std::uint64_t fine_samples_per_bit = 16;
    for (const auto hz : offered) {
        if (hz >= fine_samples_per_bit * baud.value) return {hz};
    }
    return {fine_samples_per_bit * baud.value};
}

std::vector<std::string> station_names(const yaml::Document& lab_file) {
    std::vector<std::string> names;
    for (const auto& entry : stations_of(lab_file).as_entries()) {
        if (!is_station_name(entry.name))
            throw PlanError(fmt::format("{}: '{}' cannot be the name of a station", entry.place, entry.name),
                            "letters, digits, - and _ can stand in it");
        names.push_back(entry.name);
    }
    return names;
}

Station read_station(const yaml::Document& lab_file, const std::string& name) {
    const auto names = station_names(lab_file);
    for (const auto& entry : stations_of(lab_file).as_entries()) {
        if (entry.name == name) return read_body(name, entry.value);
    }
    throw PlanError(fmt::format("{}: there is no station '{}'", lab_file.name(), name),
                    names.empty() ? "the file lists none" : fmt::format("it lists {}", fmt::join(names, ", ")));
}

std::string expand(const std::string& text, const std::map<std::string, std::string>& values) {
    std::string out;
    std::size_t at = 0;
    while (true) {
        const auto open = text.find("${", at);
        out += text.substr(at, open - at);
        if (open == std::string::npos) return out;
        const auto close = text.find('}', open);
        const auto key = close == std::string::npos ? std::string{} : text.substr(open + 2, close - open - 2);
        const auto value = values.find(key);
        if (value == values.end()) {
            std::vector<std::string> known;
            for (const auto& [name, unused] : values) known.push_back(name);
            throw PlanError(fmt::format("'{}' uses ${{{}}}, which is not known", text, key),
                            fmt::format("known: {}", fmt::join(known, ", ")));
        }
        out += value->second;
        at = close + 1;
    }
}

}  // namespace rig::lab
