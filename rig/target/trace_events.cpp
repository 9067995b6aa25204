// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/target/trace_events.hpp"

#include "rig/error.hpp"
#include "rig/target/text.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace rig::target {
namespace {

using text::Lines;
using text::number_of;
using text::words_of;

/// One event of the trace: `COMM-PID [CPU] FLAGS SECONDS.MICROS: NAME: KEY=VALUE …`. A comm may hold blanks.
struct TraceEvent {
    unsigned cpu = 0;
    target_time at;
    std::string_view name;
    std::vector<std::string_view> fields;

    [[nodiscard]] std::string_view field(std::string_view key) const {
        for (const auto word : fields) {
            if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
                return word.substr(key.size() + 1);
        }
        return {};
    }
};

std::optional<unsigned> cpu_of(std::string_view word) {
    if (word.size() < 3 || !word.starts_with('[') || !word.ends_with(']')) return std::nullopt;
    return number_of<unsigned>(word.substr(1, word.size() - 2));
}

/// "12.345678:" of the local clock, which is sched_clock.
std::optional<target_time> time_of(std::string_view word) {
    constexpr std::size_t decimals = 6;
    const auto dot = word.find('.');
    if (!word.ends_with(':') || dot == std::string_view::npos || word.size() - dot - 2 != decimals) return std::nullopt;
    const auto seconds = number_of<std::uint32_t>(word.substr(0, dot));
    const auto micros = number_of<std::uint32_t>(word.substr(dot + 1, decimals));
    if (!seconds || !micros) return std::nullopt;
    return target_time{std::chrono::seconds{*seconds} + std::chrono::microseconds{*micros}};
}

std::optional<TraceEvent> event_of(std::string_view line) {
    const auto words = words_of(line);
    std::size_t at = 1;
    while (at < words.size() && !cpu_of(words[at])) ++at;
    if (at + 2 >= words.size()) return std::nullopt;
    TraceEvent event{.cpu = *cpu_of(words[at]), .at = {}, .name = {}, .fields = {}};
    // Without the irq-info option there are no flags between the CPU and the time.
    ++at;
    auto time = time_of(words[at]);
    if (!time) time = time_of(words[++at]);
    if (!time || at + 1 >= words.size() || !words[at + 1].ends_with(':')) return std::nullopt;
    event.at = *time;
    event.name = words[at + 1].substr(0, words[at + 1].size() - 1);
    event.fields.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 2, words.end());
    return event;
}

/// "name+0x18/0x5c" and "name.constprop.0+0x…" are `name`.
std::string function_of(std::string_view location) {
    return std::string(location.substr(0, location.find_first_of("+.")));
}

/// The tracer's own function, which some kernels give as the caller, and a lock primitive turn interrupts off for
/// whoever calls them: that one is the site.
bool is_for_another(std::string_view function) {
    return function.starts_with("trace_hardirqs_") || function.starts_with("_raw_") || function.starts_with("__raw_") ||
           function.starts_with("rt_spin_");
}

/// The section that is open on a CPU.
struct Open {
    target_time start;
    std::string site;
    std::optional<unsigned> irq;
};

void begin(std::map<unsigned, Open>& open, const TraceEvent& event) {
    std::string site = function_of(event.field("caller"));
    const std::string parent = function_of(event.field("parent"));
    if (is_for_another(site) && !parent.empty() && parent != "0x0") site = parent;
    open[event.cpu] = {event.at, std::move(site), std::nullopt};
}

void name_handler(std::map<unsigned, Open>& open, const TraceEvent& event) {
    const auto section = open.find(event.cpu);
    if (section == open.end() || section->second.irq) return;
    section->second.irq = number_of<unsigned>(event.field("irq"));
    section->second.site = event.field("name");
}

void end(std::map<unsigned, Open>& open, const TraceEvent& event, EventList& list) {
    auto section = open.extract(event.cpu);
    if (section.empty()) return;
    auto& [start, site, irq] = section.mapped();
    list.events.push_back(
        {list.events.size() + 1, start, {.site = site, .irq = irq, .cpu = event.cpu, .duration = event.at - start}});
}

/// "# entries-in-buffer/entries-written: 205/310   #P:1": what is not in the buffer any more was overwritten.
void read_header(EventList& list, std::string_view line) {
    constexpr std::string_view entries = "entries-in-buffer/entries-written:";
    const auto words = words_of(line);
    if (words.size() < 3 || words[1] != entries) return;
    const auto slash = words[2].find('/');
    const auto kept = number_of<std::uint64_t>(words[2].substr(0, slash));
    const auto written =
        slash == std::string_view::npos ? std::nullopt : number_of<std::uint64_t>(words[2].substr(slash + 1));
    if (kept && written) list.facts["dropped"] = std::to_string(*written - std::min(*kept, *written));
}

}  // namespace

std::string section_filter(std::chrono::nanoseconds shortest) {
    // Character classes instead of backslashes, which some shells' echo takes for itself.
    return fmt::format(
        "/^#/{{print;next}}"
        "{{for(i=2;i<NF;i++)if($i~/^[[][0-9]+[]]$/)break;c=$i;j=i+1;if($j!~/:$/)j++;t=$j+0;e=$(j+1)}}"
        "!n++{{print}}"
        "e==\"irq_disable:\"{{d[c]=$0;b[c]=t;h[c]=\"\"}}"
        "e==\"irq_handler_entry:\"&&h[c]==\"\"{{h[c]=$0}}"
        "e==\"irq_enable:\"{{if((c in d)&&t-b[c]>={:.6f}){{print d[c];if(h[c]!=\"\")print h[c];print}}delete d[c]}}",
        to_seconds(shortest));
}

EventList parse_trace(std::string_view text) {
    Lines lines{text};
    std::string_view line;
    EventList list;
    std::map<unsigned, Open> open;
    while (lines.next(line)) {
        if (line.starts_with('#')) {
            read_header(list, line);
            continue;
        }
        if (line.empty() || line.starts_with("CPU:")) continue;  // "CPU:0 [LOST 12 EVENTS]"
        const auto event = event_of(line);
        if (!event)
            throw DutError(
                fmt::format("trace:{}: '{}' is not 'COMM-PID [CPU] FLAGS TIME: EVENT: …'", lines.number, line),
                "this kernel prints its trace as no kernel does that rig knows");
        if (!list.complete_from) list.complete_from = event->at;
        if (event->name == "irq_disable") begin(open, *event);
        if (event->name == "irq_handler_entry") name_handler(open, *event);
        if (event->name == "irq_enable") end(open, *event, list);
    }
    return list;
}

}  // namespace rig::target
