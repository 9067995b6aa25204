// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace rig::analysis {

/// A measured value with its standard uncertainty, in the same unit (seconds where nothing else is said).
struct Figure {
    double value = 0;
    double u = 0;
};

/// Standard uncertainty of a difference of two readings of a clock with this step: step/√12 for each of them.
double u_of_two_readings(double step_s);

/// √(a² + b²).
double combine(double a, double b);

double median_of(std::vector<double> values);
/// The value that a share of `values` does not exceed (nearest rank). `values` must not be empty.
double quantile_of(std::vector<double> values, double share);

/// A straight line through points, by least squares; uncertainties from the scatter about it.
struct LineFit {
    Figure slope;
    Figure intercept;
    double residual_rms = 0;
    std::size_t points = 0;
};

/// Needs at least three points at two places or more; `ok` in the caller's hands: throws RigError otherwise.
LineFit fit_line(std::span<const double> x, std::span<const double> y);

/// "23.84 ± 0.02 ms" at 95 % (two standard uncertainties), with the digits that the uncertainty leaves.
std::string show(const Figure& seconds);

}  // namespace rig::analysis
