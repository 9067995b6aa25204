// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/notices.hpp"

#include "rig/target/consoles.hpp"
#include "rig/target/text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

/// What the target said, and where the notices go.
struct Look {
    const evidence::Bundle& bundle;
    const lab::Station& station;
    std::vector<Notice>& notices;

    [[nodiscard]] std::string text(const std::string& name) const {
        const auto file = "target/before/" + name + ".txt";
        return bundle.has(file) ? bundle.read(file) : std::string();
    }
    /// The words of the kernel's command line.
    [[nodiscard]] std::vector<std::string> command_line() const {
        std::string line = text("cmdline");
        while (line.ends_with('\n')) line.pop_back();
        std::vector<std::string> words;
        for (const auto word : target::text::words_of(line)) words.emplace_back(word);
        return words;
    }
    [[nodiscard]] bool booted_with(std::string_view word) const {
        const auto words = command_line();
        return std::ranges::find(words, word) != words.end();
    }
    void say(std::string about, std::string what) const { notices.push_back({std::move(about), std::move(what)}); }
};

/// Firmware that talks at another rate than the kernel reads as bytes that are no text.
void look_at_firmware(const Look& look) {
    constexpr std::size_t longest_boot = 1 << 16;
    constexpr std::size_t least_noise = 8;
    const auto bytes = look.bundle.console(0, longest_boot);
    const auto kernel = std::min(bytes.find("Linux version"), bytes.find("Booting Linux"));
    if (kernel == std::string::npos) return;
    const auto noise = std::ranges::count_if(std::string_view(bytes).substr(0, kernel), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x7f || (byte < ' ' && byte != '\r' && byte != '\n' && byte != '\t' && byte != '\x1b');
    });
    if (static_cast<std::size_t>(noise) < least_noise) return;
    look.say("firmware", fmt::format("{} of the {} bytes before the kernel are no text: the firmware talks at another "
                                     "rate, or the line is noisy while the board starts",
                                     noise, kernel));
}

void look_at_user(const Look& look) {
    auto uid = look.text("uid");
    while (uid.ends_with('\n')) uid.pop_back();
    if (uid.empty() || uid == "0") return;
    look.say("user",
             fmt::format("the shell is that of user {}, not of root: neither records nor the kernel's own accounts "
                         "can be had, the wire can",
                         uid));
}

/// "console=ttyAMA0,115200n8" → 115200.
std::optional<std::uint32_t> boot_rate(std::string_view word, std::string_view device) {
    const auto start = fmt::format("console={},", device);
    if (!word.starts_with(start)) return std::nullopt;
    const auto options = word.substr(start.size());
    return target::text::number_of<std::uint32_t>(options.substr(0, options.find_first_not_of("0123456789")));
}

/// A UART at a rate that is off by more than this reads wrong bytes sooner or later.
constexpr double baud_tolerance = 0.02;

bool differs(double baud, Baud station) {
    return std::abs(baud / station.value - 1) > baud_tolerance;
}

/// The rate in everybody's words: the lab file, the target's terminal, its boot arguments, the wire.
void look_at_baud(const Look& look, const std::vector<target::Console>& consoles,
                  const std::optional<Figure>& wire_baud) {
    const auto stated = look.station.console.baud;
    std::string said = fmt::format("the lab file says {}", stated.value);
    bool one_differs = false;
    const auto add = [&](std::string_view who, const std::string& rate, double baud) {
        said += fmt::format(", {} {}", who, rate);
        one_differs = one_differs || differs(baud, stated);
    };
    std::string speed = look.text("tty_speed");
    while (speed.ends_with('\n')) speed.pop_back();
    if (const auto rate = target::text::number_of<std::uint32_t>(speed)) add("the target's terminal", speed, *rate);
    for (const auto& word : look.command_line()) {
        for (const auto& console : consoles) {
            if (const auto rate = boot_rate(word, console.device)) add("its boot arguments", word, *rate);
        }
    }
    if (wire_baud)
        add("the wire", fmt::format("{:.0f} ± {:.0f}", wire_baud->value, std::max(1.0, 2 * wire_baud->u)),
            wire_baud->value);
    look.say("baud", said + (one_differs ? ": they differ" : ""));
}

void look_at_consoles(const Look& look, const std::vector<target::Console>& consoles) {
    std::string names;
    for (const auto& console : consoles) {
        if (console.enabled()) names += (names.empty() ? "" : ", ") + console.device;
        if (console.boot())
            look.say("boot console",
                     fmt::format("{} is a boot console that stayed (keep_bootcon?): it prints each record "
                                 "once more, on the same wire if it is the same UART",
                                 console.device));
        if (console.nbcon())
            look.say("nbcon", fmt::format("{} is an nbcon console: its records are printed by a thread or with short "
                                          "sections only, and irq_off need not follow the wire",
                                          console.device));
    }
    const auto enabled = std::ranges::count_if(consoles, &target::Console::enabled);
    if (enabled > 1)
        look.say("consoles",
                 fmt::format("records go to {}: what the others take is in irq_off and in the interval, and "
                             "not on this wire",
                             names));
    else if (enabled == 1)
        look.say("console", fmt::format("records go to {} alone", names));
}

void look_at_printk(const Look& look) {
    if (look.booted_with("quiet") || look.booted_with("debug"))
        look.say("loglevel",
                 "the kernel was booted with a loglevel of its own (quiet or debug); rig has set the plan's");
    const auto parameters = look.text("printk_parameters");
    if (parameters.starts_with("N"))
        look.say("printk time",
                 "records bear no time on the console (printk.time=0); their times are from the kernel's "
                 "own log where that says them");
    const auto end = parameters.find('\n');
    if (end != std::string::npos && parameters.substr(end + 1).starts_with("Y"))
        look.say("loglevel", "ignore_loglevel is set: every record goes to the console, whatever its level");
    if (look.text("kernel_config").contains("CONFIG_PRINTK_CALLER=y"))
        look.say("printk caller",
                 "each record bears its caller (CONFIG_PRINTK_CALLER): some ten characters more on the wire");
    if (!look.text("printk_threads").empty())
        look.say("threads", "a kernel thread prints the records (pr/…): irq_off need not follow the wire");
    if (!look.text("uart_dma").empty())
        look.say("DMA",
                 "a UART of this board has DMA channels: what programs print may go out without interrupts off, "
                 "records do not");
}

/// kernel/printk/printk.c, console_emit_next_record(): stop_critical_timings() around the console's driver.
void look_at_tracers(const Look& look) {
    const auto words_text = look.text("available_tracers");
    const auto first_line = words_text.substr(0, words_text.find('\n'));
    const auto words = target::text::words_of(first_line);
    if (std::ranges::find(words, "irqsoff") == words.end()) return;
    look.say("irqsoff",
             "the irqsoff tracer is there and was not asked: it is blind to what a console prints, since printk "
             "stops its clock around the console's driver");
}

}  // namespace

std::vector<Notice> find_notices(const evidence::Bundle& bundle, const lab::Station& station,
                                 const std::optional<Figure>& wire_baud) {
    std::vector<Notice> notices;
    const Look look{bundle, station, notices};
    const auto consoles = target::parse_consoles(look.text("consoles"));
    look_at_firmware(look);
    look_at_user(look);
    look_at_consoles(look, consoles);
    look_at_baud(look, consoles, wire_baud);
    look_at_printk(look);
    look_at_tracers(look);
    return notices;
}

}  // namespace rig::analysis
