// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/sample_grid.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace rig::capture {

namespace {

constexpr std::uint64_t second_fs = 1'000'000'000'000'000;
constexpr std::uint64_t most_samples = std::uint64_t{1} << 62U;

}  // namespace

bool SampleGrid::holds(Femtoseconds length) const {
    return length <= longest_capture && length * rate_.hz / one_second < most_samples;
}

std::uint64_t SampleGrid::sample_at(Femtoseconds since_origin) const {
    return static_cast<std::uint64_t>((since_origin * rate_.hz + one_second / 2) / one_second);
}

GridFinder::Candidate::Candidate(SampleRate its_rate) : rate(its_rate) {
    for (const std::uint64_t few : {1U, 3U})
        if (multiple == 0 && few * second_fs % rate.hz == 0) {
            multiple = few;
            multiple_fs = few * second_fs / rate.hz;
        }
}

Femtoseconds GridFinder::Candidate::off(Femtoseconds time) const {
    // Most times are short enough for an ordinary division, which is several times as fast.
    constexpr Femtoseconds short_time = std::numeric_limits<std::uint64_t>::max() / 3;
    if (multiple != 0 && time <= short_time) {
        const std::uint64_t beyond = static_cast<std::uint64_t>(time) * multiple % multiple_fs;
        return (std::min(beyond, multiple_fs - beyond) + multiple - 1) / multiple;
    }
    const Femtoseconds beyond = time * rate.hz % one_second;
    return (std::min(beyond, one_second - beyond) + rate.hz - 1) / rate.hz;
}

GridFinder::GridFinder(std::span<const SampleRate> rates, unsigned units_per_period)
    : units_per_period_(units_per_period) {
    for (const SampleRate rate : rates) candidates_.emplace_back(rate);
}

void GridFinder::add(Femtoseconds since_origin, Femtoseconds unit) {
    unit_ = std::min(unit_, unit);
    const Femtoseconds hopeless = std::max(unit_, one_picosecond);
    std::erase_if(candidates_, [&](Candidate& candidate) {
        candidate.worst = std::max(candidate.worst, candidate.off(since_origin));
        return candidate.worst > hopeless;
    });
}

std::optional<SampleRate> GridFinder::rate() const {
    const auto found = std::ranges::find_if(candidates_, [this](const Candidate& each) { return on_grid(each); });
    if (found == candidates_.end()) return std::nullopt;
    return found->rate;
}

bool GridFinder::on_grid(const Candidate& candidate) const {
    const bool coarse = unit_ * units_per_period_ * candidate.rate.hz > one_second;
    return candidate.worst <= (coarse ? one_picosecond : std::max(unit_, one_picosecond));
}

void check_length(const std::filesystem::path& path, Femtoseconds length, const SampleGrid& grid) {
    if (length > longest_capture)
        throw PlanError(fmt::format("{}: its times span more than 104 days", path.string()),
                        "the rig counts picoseconds in 63 bits; cut the capture, or look at the unit of its times");
    if (!grid.holds(length))
        throw PlanError(
            fmt::format("{}: its times span more than 2^62 samples at {} Hz", path.string(), grid.rate().hz),
            "cut the capture, or give its times in a coarser unit");
}

}  // namespace rig::capture
