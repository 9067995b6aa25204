// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/bit_time.hpp"

#include "rig/wire/frame_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace rig::wire {

namespace {

/// Standard deviation of a value known to one sample, in samples.
const double quantisation = 1 / std::sqrt(12.0);

/// Factor from standard deviation to the half width of the 95 % interval of a normal figure.
constexpr double normal_95 = 1.96;

/// A fit whose residuals span less than this many samples may be sampled in step with its bits.
constexpr double in_step_span = 1.25;

/// Beyond this many edges the search for all possible bit times costs more than it can tell.
constexpr std::size_t in_step_edges = 1'000'000;

/// An edge on the grid of its chain: how many bits and samples it lies behind the chain's first start edge.
struct Point {
    double bits = 0;
    double samples = 0;
    bool to_mark = false;
    std::uint8_t boundary = 0;  // of its frame: 0 the start edge
};

/// Points by chain; chain c holds points [starts[c], starts[c + 1]).
struct Chains {
    std::vector<Point> points;
    std::vector<std::size_t> starts;

    [[nodiscard]] std::size_t count() const { return starts.size(); }
    [[nodiscard]] std::span<const Point> chain(std::size_t index) const {
        const std::size_t end = index + 1 < starts.size() ? starts[index + 1] : points.size();
        return std::span(points).subspan(starts[index], end - starts[index]);
    }
};

/// One usable frame: its place among the frames, and its edges.
struct UsableFrame {
    std::size_t index = 0;
    std::uint64_t first = 0;
    FrameEdges edges;
};

/// Sums of squares and products about each chain's own mean, of: bits x, whether the edge leads to mark q, and the
/// deviation z of its position from a reference grid, in samples.
struct Moments {
    double xx = 0, xq = 0, qq = 0, xz = 0, qz = 0, zz = 0;

    void add(std::span<const Point> chain, double reference) {
        double n = 0, mx = 0, mq = 0, mz = 0;
        for (const Point& point : chain) {
            const double q = point.to_mark ? 1 : 0;
            const double z = point.samples - point.bits * reference;
            n += 1;
            const double dx = point.bits - mx, dq = q - mq, dz = z - mz;
            mx += dx / n;
            mq += dq / n;
            mz += dz / n;
            xx += dx * (point.bits - mx);
            xq += dx * (q - mq);
            qq += dq * (q - mq);
            xz += dx * (z - mz);
            qz += dq * (z - mz);
            zz += dz * (z - mz);
        }
    }
};

/// A straight-line fit with one origin per chain; everything in samples.
struct Line {
    double bit = 0;
    double mark_delay = 0;
    double spread = 0;    ///< standard deviation of the residuals, 0 without freedom
    double leverage = 0;  ///< standard uncertainty of `bit` for edges of standard deviation one
    double freedom = 0;

    /// Standard uncertainty by sampling or by scatter, whichever is larger.
    [[nodiscard]] double uncertainty() const;
};

/// Student's t for 95 % over its limit 1.96: few residuals say little about the scatter.
double small_sample_factor(double freedom) {
    static constexpr std::array<double, 11> t95{0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    if (freedom < 1) return 0;
    if (freedom < static_cast<double>(t95.size())) return t95[static_cast<std::size_t>(freedom)] / normal_95;
    return 1 + 1.25 / freedom;
}

double Line::uncertainty() const {
    return leverage * std::max(quantisation, spread * small_sample_factor(freedom));
}

Line solve(const Moments& m, double reference, double freedom) {
    Line line;
    line.freedom = freedom - 1;
    const double slope = m.xz / m.xx;
    line.bit = reference + slope;
    line.leverage = 1 / std::sqrt(m.xx);
    const double left_over = std::max(0.0, m.zz - slope * m.xz);
    if (line.freedom >= 1) line.spread = std::sqrt(left_over / line.freedom);
    return line;
}

/// The same with a common delay of the edges to mark, as slow drivers and opto-couplers have it.
std::optional<Line> solve_with_delay(const Moments& m, double reference, double freedom) {
    const double determinant = m.xx * m.qq - m.xq * m.xq;
    if (freedom < 8 || determinant <= 0.2 * m.xx * m.qq) return std::nullopt;
    Line line;
    const double slope = (m.xz * m.qq - m.qz * m.xq) / determinant;
    line.bit = reference + slope;
    line.mark_delay = (m.qz * m.xx - m.xz * m.xq) / determinant;
    line.freedom = freedom - 2;
    line.leverage = std::sqrt(m.qq / determinant);
    line.spread = std::sqrt(std::max(0.0, m.zz - slope * m.xz - line.mark_delay * m.qz) / line.freedom);
    const double u_delay = std::sqrt(m.xx / determinant) * std::max(quantisation, line.spread);
    if (std::abs(line.mark_delay) < 4 * u_delay) return std::nullopt;
    return line;
}

Line fit_line(const Chains& chains, double reference) {
    Moments moments;
    for (std::size_t c = 0; c < chains.count(); ++c) moments.add(chains.chain(c), reference);
    const double freedom = static_cast<double>(chains.points.size()) - static_cast<double>(chains.count());
    return solve_with_delay(moments, reference, freedom).value_or(solve(moments, reference, freedom));
}

/// Largest span of residuals of any chain for a bit of `bit` samples.
double widest_span(const Chains& chains, double bit, double mark_delay) {
    double widest = 0;
    for (std::size_t c = 0; c < chains.count(); ++c) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const Point& point : chains.chain(c)) {
            const double residual = point.samples - point.bits * bit - (point.to_mark ? mark_delay : 0);
            low = std::min(low, residual);
            high = std::max(high, residual);
        }
        widest = std::max(widest, high - low);
    }
    return widest;
}

/// How far the bit can move in one direction before some chain's residuals span more than `span`.
double reach(const Chains& chains, const Line& line, double span, double direction) {
    double inside = 0;
    double outside = line.leverage;
    while (widest_span(chains, line.bit + direction * outside, line.mark_delay) <= span) {
        inside = outside;
        outside *= 2;
    }
    for (int step = 0; step < 12; ++step) {
        const double middle = (inside + outside) / 2;
        (widest_span(chains, line.bit + direction * middle, line.mark_delay) <= span ? inside : outside) = middle;
    }
    return outside;
}

/// Sampling in step with the bits moves all edges alike: the residuals vanish while the bit time may be anything that
/// gives the same samples. The uncertainty then has to cover all of those.
double in_step_uncertainty(const Chains& chains, const Line& line) {
    if (chains.points.size() > in_step_edges) return 0;
    const double span = std::max(1.0, widest_span(chains, line.bit, line.mark_delay));
    if (span > in_step_span) return 0;
    return std::max(reach(chains, line, span, 1), reach(chains, line, span, -1)) / normal_95;
}

/// A transmitter whose own clock is coarse puts the same boundary of every frame off by the same amount: more frames
/// then tell nothing new, the boundaries are the independent observations. This is the uncertainty with the edges
/// grouped by boundary (the cluster-robust estimate); 0 where it does not clearly exceed that of independent edges.
double boundary_uncertainty(const Chains& chains, const Line& line) {
    std::array<double, 16> pull{};
    for (std::size_t c = 0; c < chains.count(); ++c) {
        const std::span<const Point> chain = chains.chain(c);
        const auto residual = [&](const Point& point) {
            return point.samples - point.bits * line.bit - (point.to_mark ? line.mark_delay : 0);
        };
        double mean_bits = 0, mean_residual = 0;
        for (const Point& point : chain) {
            mean_bits += point.bits / static_cast<double>(chain.size());
            mean_residual += residual(point) / static_cast<double>(chain.size());
        }
        for (const Point& point : chain)
            pull[point.boundary] += (point.bits - mean_bits) * (residual(point) - mean_residual);
    }
    double squares = 0, groups = 0;
    for (const double p : pull) {
        squares += p * p;
        groups += p != 0 ? 1 : 0;
    }
    constexpr double clearly = 1.5;
    constexpr double few_frames = 4;
    if (groups < 3 || line.freedom < few_frames * groups) return 0;
    const double u = std::sqrt(squares * groups / (groups - 1)) * line.leverage * line.leverage;
    return u > clearly * line.uncertainty() ? u * small_sample_factor(groups - 1) : 0;
}

std::vector<UsableFrame> usable_frames(const Trace& trace, std::span<const Frame> frames, const UartFormat& format) {
    std::vector<UsableFrame> usable;
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (const auto edges = pair_edges(trace.edges, frames[i], format); edges)
            usable.push_back({i, frames[i].first.value, *edges});
    return usable;
}

void append_frame(Chains& chains, const UsableFrame& frame, double bits_before, std::uint64_t origin) {
    const double before = static_cast<double>(frame.first - origin);
    chains.points.push_back({bits_before, before, false, 0});
    for (const GridEdge& edge : frame.edges.all())
        chains.points.push_back({bits_before + edge.bits, before + static_cast<double>(edge.samples), edge.to_mark,
                                 static_cast<std::uint8_t>(edge.bits)});
}

Chains one_chain_per_frame(std::span<const UsableFrame> frames) {
    Chains chains;
    for (const UsableFrame& frame : frames) {
        chains.starts.push_back(chains.points.size());
        append_frame(chains, frame, 0, frame.first);
    }
    return chains;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Frames whose edges do not lie on a grid of `line` say nothing about it: samples were lost inside, or a glitch hit an
/// edge.
std::vector<UsableFrame> frames_on_grid(std::span<const UsableFrame> frames, const Line& line) {
    std::vector<double> worst;
    for (const UsableFrame& frame : frames) {
        double low = 0, high = 0;
        for (const GridEdge& edge : frame.edges.all()) {
            const double residual =
                static_cast<double>(edge.samples) - edge.bits * line.bit - (edge.to_mark ? line.mark_delay : 0);
            low = std::min(low, residual);
            high = std::max(high, residual);
        }
        worst.push_back(high - low);
    }
    const double limit = std::max(2.0, 4 * median(worst));
    std::vector<UsableFrame> kept;
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (worst[i] <= limit) kept.push_back(frames[i]);
    return kept;
}

/// Which frames follow the one before back to back, judged by a line fitted frame by frame. None do when the
/// transmitter seems to pause by less than the sampling shows: then no start edge can be trusted to lie on the grid.
std::vector<char> find_links(std::span<const UsableFrame> frames, const Line& line, double length) {
    const double noise = 3 * std::numbers::sqrt2 * std::max(quantisation, line.spread);
    const double drift = 3 * length * line.uncertainty();
    const double tolerance = noise + drift;
    std::vector<char> linked(frames.size(), 0);
    double sum = 0, count = 0;
    bool short_pauses = false;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        if (frames[i].index != frames[i - 1].index + 1) continue;
        const double deviation = static_cast<double>(frames[i].first - frames[i - 1].first) - length * line.bit;
        if (deviation > tolerance && deviation < 8 * tolerance) short_pauses = true;
        if (std::abs(deviation) > tolerance) continue;
        linked[i] = 1;
        sum += deviation;
        count += 1;
    }
    // Pauses a little longer than the tolerance say that some will be shorter; a mean off zero that all of them are.
    const bool all_pause = count > 0 && std::abs(sum / count) > noise / std::sqrt(count) + drift;
    if (short_pauses || all_pause) std::ranges::fill(linked, 0);
    return linked;
}

Chains linked_chains(std::span<const UsableFrame> frames, std::span<const char> linked, double length) {
    Chains chains;
    double bits = 0;
    std::uint64_t origin = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (linked[i] != 0) {
            bits += length;
        } else {
            chains.starts.push_back(chains.points.size());
            bits = 0;
            origin = frames[i].first;
        }
        append_frame(chains, frames[i], bits, origin);
    }
    return chains;
}

BitTimeFit describe(const Line& line, const Chains& chains, double period_ps) {
    BitTimeFit fit;
    fit.sample_period_ps = period_ps;
    fit.bit_ps = line.bit * period_ps;
    fit.u_ps = std::max({line.uncertainty(), in_step_uncertainty(chains, line), boundary_uncertainty(chains, line)}) *
               period_ps;
    fit.baud = 1e12 / fit.bit_ps;
    fit.u_baud = fit.baud * fit.u_ps / fit.bit_ps;
    fit.residual_rms_ps = line.spread * period_ps;
    fit.mark_delay_ps = line.mark_delay * period_ps;
    fit.edges = chains.points.size();
    fit.chains = chains.count();
    return fit;
}

}  // namespace

double BitTimeFit::ppm_from(Baud nominal) const {
    return (baud / nominal.value - 1) * 1e6;
}

std::optional<BitTimeFit> fit_bit_time(const Trace& trace, std::span<const Frame> frames, const UartFormat& format) {
    std::vector<UsableFrame> usable = usable_frames(trace, frames, format);
    if (usable.empty()) return std::nullopt;
    const double period_ps = 1e12 / static_cast<double>(trace.rate.hz);
    const Frame& sample = frames[usable.front().index];
    const double told = static_cast<double>((sample.end - sample.start).count()) / frame_bits(format) / period_ps;

    const Line rough = fit_line(one_chain_per_frame(usable), told);
    usable = frames_on_grid(usable, rough);
    const Chains separate = one_chain_per_frame(usable);
    const Line by_frame = fit_line(separate, rough.bit);

    const double length = frame_bits(format);
    const Chains linked = linked_chains(usable, find_links(usable, by_frame, length), length);
    const Line by_chain = fit_line(linked, by_frame.bit);
    const bool agree = std::abs(by_chain.bit - by_frame.bit) <= 2.5 * by_frame.uncertainty();
    BitTimeFit fit = agree ? describe(by_chain, linked, period_ps) : describe(by_frame, separate, period_ps);
    fit.frames = usable.size();
    fit.frames_left_out = frames.size() - usable.size();
    return fit;
}

namespace {

/// A fit to the few frames of a wrong rate that happen to look right says nothing, and neither does one whose edges
/// scatter by more than a tenth of a bit: they lie on another grid.
std::optional<BitTimeFit> trusted_fit(const Trace& trace, const Decoded& decoded) {
    constexpr double largest_scatter = 0.1;
    const auto fit = fit_bit_time(trace, decoded.frames, decoded.format);
    if (!fit || fit->frames < fit->frames_left_out) return std::nullopt;
    const double allowed = std::max(fit->sample_period_ps, largest_scatter * fit->bit_ps);
    return fit->residual_rms_ps <= allowed ? fit : std::nullopt;
}

}  // namespace

FittedDecode decode_fitted(const Trace& trace, picoseconds nominal, const UartFormat& format) {
    constexpr double largest_clock_error = 0.05;
    constexpr int passes = 2;
    const auto told = static_cast<double>(nominal.count());
    FittedDecode result{decode(trace, nominal, format), std::nullopt};
    result.fit = trusted_fit(trace, result.decoded);
    for (int pass = 0; pass < passes && result.fit; ++pass) {
        if (std::abs(result.fit->bit_ps - told) > largest_clock_error * told) break;
        const picoseconds fitted{std::llround(result.fit->bit_ps)};
        if (fitted == result.decoded.bit_time) break;
        result.decoded = decode(trace, fitted, format);
        result.fit = trusted_fit(trace, result.decoded);
    }
    return result;
}

}  // namespace rig::wire
