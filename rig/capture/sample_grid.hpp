// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace rig::capture {

/// A time as files hold it, in units of 10^-15 s; wide enough for a calendar's seconds.
__extension__ using Femtoseconds = __int128;

constexpr Femtoseconds one_second = 1'000'000'000'000'000;
constexpr Femtoseconds one_picosecond = 1000;
/// 104 days: what fits in 63 bits of picoseconds, as the rig counts them.
constexpr Femtoseconds longest_capture = 9'000'000 * one_second;

/// The multiples of 1/rate that times are put on.
class SampleGrid {
public:
    explicit SampleGrid(SampleRate rate) : rate_(rate) {}

    [[nodiscard]] SampleRate rate() const { return rate_; }
    /// Whether a capture of this length can be counted in samples.
    [[nodiscard]] bool holds(Femtoseconds length) const;
    /// The sample nearest to a time from the grid's origin on; the grid must hold it.
    [[nodiscard]] std::uint64_t sample_at(Femtoseconds since_origin) const;

private:
    SampleRate rate_;
};

/// Finds the lowest of some rates on whose grid all times lie.
class GridFinder {
public:
    /// `rates` are tried in this order. Times that are rounded tell grids apart whose period is `units_per_period` of
    /// their units at least; finer ones must be met exactly.
    explicit GridFinder(std::span<const SampleRate> rates, unsigned units_per_period = 16);

    /// Another time, from the grid's origin on, at most `longest_capture`. `unit` is the coarsest that the file's times
    /// may be rounded to as far as is known; it never grows.
    void add(Femtoseconds since_origin, Femtoseconds unit);

    /// The first of the rates from whose grid no time is off by more than the last `unit`; by no more than a picosecond
    /// where the grid is too fine for that.
    [[nodiscard]] std::optional<SampleRate> rate() const;

private:
    struct Candidate {
        explicit Candidate(SampleRate its_rate);
        [[nodiscard]] Femtoseconds off(Femtoseconds time) const;

        SampleRate rate;
        // `multiple` periods are a whole number of femtoseconds, `multiple_fs`; 0 when no small number of periods is.
        std::uint64_t multiple = 0;
        std::uint64_t multiple_fs = 0;
        Femtoseconds worst = 0;
    };

    [[nodiscard]] bool on_grid(const Candidate& candidate) const;

    std::vector<Candidate> candidates_;
    unsigned units_per_period_;
    Femtoseconds unit_ = one_second;
};

/// A PlanError when a capture of this length is longer than the rig or the grid counts.
void check_length(const std::filesystem::path& path, Femtoseconds length, const SampleGrid& grid);

}  // namespace rig::capture
