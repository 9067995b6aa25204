// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/figures.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::analysis {
namespace {

struct Scale {
    double factor;
    const char* unit;
};

Scale scale_of(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 1) return {1, "s"};
    if (size >= 1e-3) return {1e3, "ms"};
    if (size >= 1e-6) return {1e6, "us"};
    return {1e9, "ns"};
}

}  // namespace

double u_of_two_readings(double step_s) {
    return step_s / std::sqrt(6.0);
}

double combine(double a, double b) {
    return std::sqrt(a * a + b * b);
}

double median_of(std::vector<double> values) {
    if (values.empty()) throw RigError("the median of nothing was asked for");
    std::sort(values.begin(), values.end());
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double quantile_of(std::vector<double> values, double share) {
    if (values.empty()) throw RigError("a quantile of nothing was asked for");
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

LineFit fit_line(std::span<const double> x, std::span<const double> y) {
    const auto n = static_cast<double>(x.size());
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    double sxx = 0;
    double sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sxx += (x[i] - mean_x) * (x[i] - mean_x);
        sxy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (x.size() < 3 || x.size() != y.size() || sxx <= 0) throw RigError("a line was asked for through too few points");
    LineFit fit;
    fit.points = x.size();
    fit.slope.value = sxy / sxx;
    fit.intercept.value = mean_y - fit.slope.value * mean_x;
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = y[i] - fit.intercept.value - fit.slope.value * x[i];
        squares += residual * residual;
    }
    const double variance = squares / (n - 2);
    fit.residual_rms = std::sqrt(squares / n);
    fit.slope.u = std::sqrt(variance / sxx);
    fit.intercept.u = std::sqrt(variance * (1 / n + mean_x * mean_x / sxx));
    return fit;
}

std::string show(const Figure& seconds) {
    const auto scale = scale_of(seconds.value);
    const double value = seconds.value * scale.factor;
    const double expanded = 2 * seconds.u * scale.factor;
    if (expanded <= 0) return fmt::format("{:.4g} {}", value, scale.unit);
    // Two digits of the uncertainty, and the value to the same place.
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(expanded))), 0, 9);
    return fmt::format("{:.{}f} ± {:.{}f} {}", value, decimals, expanded, decimals, scale.unit);
}

}  // namespace rig::analysis
