// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/kernel_log.hpp"

#include <charconv>

#include <re2/re2.h>

namespace rig::console {
namespace {

/// Console bytes are bytes, not UTF-8.
RE2::Options byte_options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    return options;
}

constexpr const char* prefix_pattern = R"((?:<\d{1,3}>)?(?:\[ *(\d{1,9})\.(\d{3,9})\] ?(?:\[ *[TC]\d+\] ?)?)?)";

std::optional<target_time> time_of(re2::StringPiece seconds, re2::StringPiece fraction) {
    if (seconds.empty()) return std::nullopt;
    std::int64_t whole = 0;
    std::int64_t part = 0;
    std::from_chars(seconds.begin(), seconds.end(), whole);
    std::from_chars(fraction.begin(), fraction.end(), part);
    for (std::size_t digits = fraction.size(); digits < 9; ++digits) part *= 10;
    return target_time{std::chrono::seconds{whole} + std::chrono::nanoseconds{part}};
}

struct Match {
    Record record;
    re2::StringPiece captures[2];
};

/// Finds prefix + `text` (a pattern with at most two groups) + line ending.
std::optional<Match> find_line(std::string_view bytes, const std::string& text, std::size_t from) {
    const RE2 pattern(std::string(prefix_pattern) + "(" + text + ")\r?\n", byte_options());
    const re2::StringPiece input(bytes.data(), bytes.size());
    re2::StringPiece groups[6];
    const int count = 1 + pattern.NumberOfCapturingGroups();
    if (from > bytes.size() || !pattern.Match(input, from, bytes.size(), RE2::UNANCHORED, groups, count))
        return std::nullopt;
    Match match;
    match.record.begin = static_cast<std::size_t>(groups[0].data() - bytes.data());
    match.record.end = match.record.begin + groups[0].size();
    match.record.time = time_of(groups[1], groups[2]);
    match.record.text = std::string(groups[3].data(), groups[3].size());
    match.captures[0] = groups[4];
    match.captures[1] = groups[5];
    return match;
}

}  // namespace

std::optional<Record> find_record(std::string_view bytes, std::string_view start, std::size_t from) {
    const auto match = find_line(bytes, RE2::QuoteMeta({start.data(), start.size()}) + "[^\\r\\n]*", from);
    if (!match) return std::nullopt;
    return match->record;
}

std::optional<IntervalRecord> find_interval(std::string_view bytes, std::size_t from, std::size_t before) {
    const auto match = find_line(bytes, R"(interval=(\d{1,18}), jiffies=(\d{1,10}))", from);
    if (!match || match->record.begin >= before) return std::nullopt;
    IntervalRecord interval{.record = match->record};
    std::int64_t ns = 0;
    std::from_chars(match->captures[0].begin(), match->captures[0].end(), ns);
    std::from_chars(match->captures[1].begin(), match->captures[1].end(), interval.jiffies.count);
    interval.interval = std::chrono::nanoseconds{ns};
    return interval;
}

std::optional<std::string> find_death(std::string_view bytes, std::size_t from) {
    static const std::string death = R"((?:Kernel panic - not syncing|Internal error: |Unable to handle kernel |)"
                                     R"(Oops: |Unhandled fault: )[^\r\n]*)";
    while (const auto match = find_line(bytes, death, from)) {
        // A record has its time or begins a line. The same words elsewhere are somebody's: the echo of a command.
        const auto& record = match->record;
        if (record.time || record.begin == 0 || bytes[record.begin - 1] == '\n') return record.text;
        from = record.end;
    }
    return std::nullopt;
}

bool finds_boot(std::string_view bytes, std::size_t from) {
    // The version alone would also be found in what `cat /proc/version` says.
    const auto log = bytes.substr(std::min(from, bytes.size()));
    return log.find("] Linux version ") != std::string_view::npos ||
           log.find("Booting Linux on physical CPU") != std::string_view::npos;
}

}  // namespace rig::console
