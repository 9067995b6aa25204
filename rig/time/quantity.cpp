// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/time/quantity.hpp"

#include "rig/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace rig {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr std::array duration_units{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"µs", 1e-6}, Unit{"ms", 1e-3},
                                    Unit{"s", 1},     Unit{"min", 60},  Unit{"h", 3600}};
constexpr std::array frequency_units{Unit{"Hz", 1}, Unit{"kHz", 1e3}, Unit{"MHz", 1e6}, Unit{"GHz", 1e9}};
constexpr std::array ratio_units{Unit{"%", 0.01}, Unit{"ppm", 1e-6}};

struct Parsed {
    double number;
    std::string_view unit;
};

std::optional<Parsed> split(std::string_view text) {
    text = trimmed(text);
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
    return Parsed{number, trimmed(text.substr(static_cast<std::size_t>(rest - text.data())))};
}

std::expected<double, std::string> parse(std::string_view text, std::span<const Unit> units, std::string_view what,
                                         std::string_view example) {
    const auto parsed = split(text);
    if (!parsed) return std::unexpected(fmt::format("'{}' is not {} (try '{}')", text, what, example));
    if (parsed->unit.empty()) return std::unexpected(fmt::format("wants a unit (try '{}')", example));
    for (const auto& unit : units) {
        if (unit.name == parsed->unit) return parsed->number * unit.factor;
    }
    return std::unexpected(
        fmt::format("'{}' is not a unit of {} (try '{}')", parsed->unit, what.substr(what.find(' ') + 1), example));
}

/// "1 frame", "2 frames".
std::optional<double> parse_frames(std::string_view term) {
    const auto parsed = split(term);
    if (!parsed || (parsed->unit != "frame" && parsed->unit != "frames") || parsed->number < 0) return std::nullopt;
    return parsed->number;
}

}  // namespace

std::expected<std::chrono::nanoseconds, std::string> parse_duration(std::string_view text) {
    const auto seconds = parse(text, duration_units, "a duration", "500 us");
    if (!seconds) return std::unexpected(seconds.error());
    if (*seconds < 0 || *seconds > 30 * 86400.0)
        return std::unexpected(fmt::format("'{}' is outside 0 s to 30 days (try '500 us')", text));
    return std::chrono::nanoseconds{std::llround(*seconds * 1e9)};
}

std::expected<std::uint64_t, std::string> parse_frequency(std::string_view text) {
    const auto hz = parse(text, frequency_units, "a frequency", "4 MHz");
    if (!hz) return std::unexpected(hz.error());
    if (*hz < 1 || *hz > 1e12 || *hz != std::floor(*hz))
        return std::unexpected(fmt::format("'{}' is not a whole number of hertz above zero (try '4 MHz')", text));
    return static_cast<std::uint64_t>(*hz);
}

std::expected<double, std::string> parse_ratio(std::string_view text) {
    const auto ratio = parse(text, ratio_units, "a ratio", "3 %");
    if (ratio && *ratio < 0) return std::unexpected(fmt::format("'{}' is negative (try '3 %')", text));
    return ratio;
}

double Tolerance::allowed_s(double reference_s, double frame_s) const {
    return relative * reference_s + to_seconds(absolute) + frames * frame_s;
}

std::expected<Tolerance, std::string> parse_tolerance(std::string_view text) {
    Tolerance tolerance;
    std::size_t begin = 0;
    while (begin != std::string_view::npos) {
        const auto plus = text.find('+', begin);
        const auto term = trimmed(text.substr(begin, plus - begin));
        begin = plus == std::string_view::npos ? plus : plus + 1;
        if (const auto ratio = parse_ratio(term)) {
            tolerance.relative += *ratio;
        } else if (const auto duration = parse_duration(term)) {
            tolerance.absolute += *duration;
        } else if (const auto frames = parse_frames(term)) {
            tolerance.frames += *frames;
        } else {
            const auto parsed = split(term);
            if (parsed && parsed->unit.empty())
                return std::unexpected(std::string("wants a unit (try '3 % + 500 us')"));
            return std::unexpected(fmt::format("'{}' is not a tolerance (try '3 % + 500 us')", text));
        }
    }
    return tolerance;
}

std::string show_duration(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 1 || size == 0) return fmt::format("{:.3g} s", seconds);
    if (size >= 1e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
    if (size >= 1e-6) return fmt::format("{:.3g} us", seconds * 1e6);
    return fmt::format("{:.3g} ns", seconds * 1e9);
}

}  // namespace rig
