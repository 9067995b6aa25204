// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/phase.hpp"

#include "rig/wire/glitch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rig::wire {

namespace {

class PhaseChecker {
public:
    PhaseChecker(const Trace& trace, std::span<const Frame> frames, const UartFormat& format, const BitTimeFit& fit)
        : line_(remove_glitches(trace, picoseconds{std::llround(fit.bit_ps)})),
          frames_(frames),
          format_(format),
          fit_(fit),
          length_ps_(frame_bits(format) * fit.bit_ps) {
        base_ps_ = fit.sample_period_ps * 1.001 + 6 * scatter_beyond_sampling();
    }

    [[nodiscard]] PhaseReport check() {
        report_.threshold = rounded(threshold(frame_bits(format_)) + std::abs(fit_.mark_delay_ps));
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            check_distance(i);
            check_edges(i);
        }
        return std::move(report_);
    }

private:
    /// Scatter of the edges that sampling does not explain, at the upper end of what the residuals allow: their mean
    /// square is known to 0.075 squared periods over the root of their number (the fourth moment of a uniform error),
    /// and a jitter that hides in there must not look like a jump.
    [[nodiscard]] double scatter_beyond_sampling() const {
        const double period2 = fit_.sample_period_ps * fit_.sample_period_ps;
        const double beyond = std::max(0.0, fit_.residual_rms_ps * fit_.residual_rms_ps - period2 / 12);
        const double hidden =
            3 * 0.075 * period2 / std::sqrt(static_cast<double>(std::max<std::size_t>(fit_.edges, 1)));
        return std::sqrt(beyond + hidden);
    }

    static picoseconds rounded(double ps) { return picoseconds{std::llround(ps)}; }

    [[nodiscard]] double threshold(double bits) const { return base_ps_ + 5 * bits * fit_.u_ps; }

    [[nodiscard]] double between(std::size_t earlier, std::size_t later) const {
        return static_cast<double>(frames_[later].first.value - frames_[earlier].first.value) * fit_.sample_period_ps;
    }

    void jump(std::size_t frame, double ps, PhaseJump::Where where) {
        report_.jumps.push_back({frame, rounded(ps), where});
    }

    /// The start edge of frame `i` against the frame before it and against its back-to-back run.
    void check_distance(std::size_t i) {
        if (i == 0) return;
        if (frames_[i - 1].errors.line_break) return begin_run(i);
        const double deviation = between(i - 1, i) - length_ps_;
        if (std::abs(deviation) <= threshold(frame_bits(format_))) return check_run(i);
        if (deviation < 0)
            jump(i, deviation, PhaseJump::Where::before_frame);
        else
            report_.gaps.push_back({i - 1, rounded(deviation)});
        begin_run(i);
    }

    void begin_run(std::size_t frame) { run_begin_ = frame; }

    void check_run(std::size_t i) {
        const auto frames = static_cast<double>(i - run_begin_);
        const double deviation = between(run_begin_, i) - frames * length_ps_;
        if (std::abs(deviation) <= threshold(frames * frame_bits(format_))) {
            report_.worst_start_ps = std::max(report_.worst_start_ps, std::abs(deviation));
            return;
        }
        jump(i, deviation, PhaseJump::Where::in_record);
        begin_run(i);
    }

    void check_edges(std::size_t i) {
        const Frame& frame = frames_[i];
        if (frame.errors.line_break) {
            ++report_.frames_unchecked;
            return;
        }
        const std::span<const Edge> edges = line_.edges;
        const double end = (stop_bit_index(format_) + 0.5) * fit_.bit_ps;
        const Level mark = format_.polarity == Polarity::normal ? Level::high : Level::low;
        for (auto edge = std::ranges::upper_bound(edges, frame.first, {}, &Edge::at); edge != edges.end(); ++edge) {
            const double at = static_cast<double>(edge->at.value - frame.first.value) * fit_.sample_period_ps;
            if (at >= end) break;
            if (!edge_on_grid(i, at, edge->level == mark ? fit_.mark_delay_ps : 0)) break;
        }
    }

    bool edge_on_grid(std::size_t i, double at, double delay) {
        const double bits = std::round((at - delay) / fit_.bit_ps);
        const double deviation = at - delay - bits * fit_.bit_ps;
        if (std::abs(deviation) > threshold(bits)) {
            jump(i, deviation, PhaseJump::Where::in_frame);
            return false;
        }
        report_.worst_edge_ps = std::max(report_.worst_edge_ps, std::abs(deviation));
        return true;
    }

    CleanLine line_;
    std::span<const Frame> frames_;
    const UartFormat& format_;
    const BitTimeFit& fit_;
    double length_ps_;
    double base_ps_ = 0;
    std::size_t run_begin_ = 0;
    PhaseReport report_;
};

}  // namespace

PhaseReport check_phase(const Trace& trace, std::span<const Frame> frames, const UartFormat& format,
                        const BitTimeFit& fit) {
    return PhaseChecker(trace, frames, format, fit).check();
}

}  // namespace rig::wire
