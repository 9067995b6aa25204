// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/figures.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What a report shows of a result.json (schema rig.result/1). A field that is absent, or is not what the schema says,
/// is absent here: a report of a poor result is still a report.
namespace rig::reports {

using analysis::Figure;

/// Skipped are checks only.
enum class Outcome { pass, fail, inconclusive, error, skipped };

struct CertificateLineView {
    std::string line;
    std::optional<bool> ok;  ///< absent: not judged
    std::string figure;
};

struct SectionView {
    std::string site;
    std::optional<std::int64_t> cpu;
    std::optional<std::int64_t> irq;
    double duration_s = 0;
    std::optional<double> start_s;  ///< on the target's clock
};

struct SpanView {
    double begin_s = 0;  ///< on the capture's time line
    double end_s = 0;
};

struct TrialView {
    std::string case_name;
    std::string point;  ///< the sweep's parameters as text, "length=900"; empty when nothing is swept
    std::uint64_t trial = 0;
    std::uint64_t attempt = 1;
    bool certified = false;
    std::vector<CertificateLineView> certificate;
    std::string why;
    std::optional<std::uint64_t> frames;
    std::optional<Figure> baud_hz;
    std::optional<Figure> wire_s;
    std::optional<Figure> interval_s;
    std::optional<Figure> irq_off_s;
    std::optional<Figure> marker_s;
    std::vector<SectionView> sections;
    std::optional<std::int64_t> jiffies;
    std::optional<std::uint64_t> hz;
    std::optional<Figure> expected_ticks;
    std::optional<Figure> lost_ticks;
    std::optional<std::pair<std::int64_t, std::int64_t>> model_lost_ticks;  ///< least, most
    std::optional<double> slip_s;
    std::vector<std::pair<std::string, std::string>> missing;  ///< account, why
    std::string capture;
    std::optional<SpanView> record_on_wire;
    std::optional<SpanView> marker_on_wire;

    /// The figure of an account by its name in plans and results; none for one that it did not give.
    [[nodiscard]] std::optional<Figure> figure_of(std::string_view account) const;
    /// The longest IRQ-off section; null when there is none.
    [[nodiscard]] const SectionView* longest_section() const;
    /// Case and point, as "length, length=900".
    [[nodiscard]] std::string place() const;
};

struct CheckView {
    std::string name;
    std::string kind;
    Outcome verdict = Outcome::inconclusive;
    std::optional<Figure> figure;
    std::string unit;
    std::string limit;
    std::string why;
};

struct FitView {
    std::string case_name;
    std::string of;
    std::string over;
    Figure slope_s_per_frame;
    Figure intercept_s;
    std::optional<double> residual_rms_s;
    std::optional<std::uint64_t> trials;
};

struct RunView {
    std::string plan;
    std::string station;
    Outcome verdict = Outcome::error;
    std::string culprit;
    std::string cause;
    std::string hint;  ///< what to try next; may be empty
    std::vector<std::string> accounts;
    std::vector<std::pair<std::string, std::string>> sources;  ///< account, where its figures came from
    std::vector<std::pair<std::string, std::string>> missing;  ///< account, why
    std::vector<std::pair<std::string, std::string>> notices;  ///< about, what
    std::uint64_t attempted = 0;
    std::uint64_t certified = 0;
    std::vector<std::pair<std::string, std::uint64_t>> rejected;  ///< reason, attempts
    std::vector<CheckView> checks;
    std::vector<TrialView> trials;  ///< in the order of the trials' numbers
    std::vector<FitView> fits;
    std::vector<std::pair<std::string, std::string>> environment;

    [[nodiscard]] std::string environment_value(std::string_view name) const;
    /// The certified trial whose longest IRQ-off section (its wire time where there is none) is the longest; null when
    /// there is no certified trial.
    [[nodiscard]] const TrialView* worst_trial() const;
    /// The fit that a maintainer quotes: of irq_off over frames, else of the wire; null when nothing was fitted.
    [[nodiscard]] const FitView* headline_fit() const;
};

/// Throws a PlanError when the object is no result of a schema that this rig reads.
RunView read_run(const nlohmann::ordered_json& result);

/// Trials of one case at one point of its sweep, in order; points in the order of the plan's trials.
struct PointView {
    std::string case_name;
    std::string point;
    std::vector<const TrialView*> trials;  ///< of the RunView, which must outlive this
};
std::vector<PointView> points_of(const RunView& run);

/// "pass", "fail", "inconclusive", "error", "skipped".
std::string_view name_of(Outcome outcome);
/// ✓ ✗ ? ! –: the sign that stands beside the word, so that no colour is needed.
std::string_view sign_of(Outcome outcome);

}  // namespace rig::reports
