// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/run_view.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::reports {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view schema = "rig.result/1";

const json& member(const json& object, const char* name) {
    static const json nothing;
    if (!object.is_object()) return nothing;
    const auto found = object.find(name);
    return found == object.end() ? nothing : *found;
}

/// Text of a text, or the JSON of anything else: what a newer writer put there is still shown.
std::string as_text(const json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text(const json& object, const char* name) {
    return as_text(member(object, name));
}

std::optional<double> as_number(const json& value) {
    if (!value.is_number()) return std::nullopt;
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> number(const json& object, const char* name) {
    return as_number(member(object, name));
}

std::optional<std::int64_t> integer(const json& object, const char* name) {
    const json& value = member(object, name);
    if (!value.is_number_integer()) return std::nullopt;
    return value.get<std::int64_t>();
}

std::optional<std::uint64_t> count(const json& object, const char* name) {
    const auto value = integer(object, name);
    if (!value || *value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::optional<Figure> figure(const json& object, const char* name) {
    const json& value = member(object, name);
    const auto measured = number(value, "value");
    if (!measured) return std::nullopt;
    return Figure{*measured, number(value, "u").value_or(0)};
}

std::optional<SpanView> span(const json& object, const char* name) {
    const auto begin = number(member(object, name), "begin_s");
    const auto end = number(member(object, name), "end_s");
    if (!begin || !end || *end < *begin) return std::nullopt;
    return SpanView{*begin, *end};
}

/// The entries of an object as text, in its order.
std::vector<std::pair<std::string, std::string>> texts(const json& object) {
    std::vector<std::pair<std::string, std::string>> entries;
    if (!object.is_object()) return entries;
    for (const auto& [name, value] : object.items()) entries.emplace_back(name, as_text(value));
    return entries;
}

std::vector<json> items(const json& object, const char* name) {
    const json& value = member(object, name);
    return value.is_array() ? std::vector<json>(value.begin(), value.end()) : std::vector<json>();
}

Outcome outcome_of(const std::string& name) {
    for (const auto outcome : {Outcome::pass, Outcome::fail, Outcome::inconclusive, Outcome::skipped}) {
        if (name_of(outcome) == name) return outcome;
    }
    return Outcome::error;
}

std::string point_text(const json& parameters) {
    std::string point;
    for (const auto& [name, value] : texts(parameters))
        point += fmt::format("{}{}={}", point.empty() ? "" : ", ", name, value);
    return point;
}

std::vector<CertificateLineView> read_certificate(const json& trial) {
    std::vector<CertificateLineView> lines;
    for (const auto& line : items(trial, "certificate")) {
        const json& ok = member(line, "ok");
        lines.push_back(
            {text(line, "line"), ok.is_boolean() ? std::optional(ok.get<bool>()) : std::nullopt, text(line, "figure")});
    }
    return lines;
}

std::vector<SectionView> read_sections(const json& trial) {
    std::vector<SectionView> sections;
    for (const auto& section : items(trial, "irq_off")) {
        const auto duration = number(member(section, "duration_s"), "value");
        if (!duration || *duration < 0) continue;
        sections.push_back({text(section, "site"), integer(section, "cpu"), integer(section, "irq"), *duration,
                            number(section, "start_s")});
    }
    return sections;
}

std::optional<std::pair<std::int64_t, std::int64_t>> read_model(const json& trial) {
    const json& model = member(trial, "model_lost_ticks");
    const auto least = integer(model, "least");
    const auto most = integer(model, "most");
    if (!least || !most) return std::nullopt;
    return std::pair(*least, *most);
}

TrialView read_trial(const json& trial, const std::string& case_name, const std::string& point) {
    TrialView view;
    view.case_name = case_name;
    view.point = point;
    view.trial = count(trial, "trial").value_or(0);
    view.attempt = count(trial, "attempt").value_or(1);
    view.certified = member(trial, "certified") == true;
    view.certificate = read_certificate(trial);
    view.why = text(trial, "why");
    view.frames = count(trial, "frames");
    view.baud_hz = figure(trial, "baud_hz");
    view.wire_s = figure(trial, "wire_s");
    view.interval_s = figure(trial, "interval_s");
    view.irq_off_s = figure(trial, "irq_off_s");
    view.marker_s = figure(trial, "marker_s");
    view.sections = read_sections(trial);
    view.jiffies = integer(trial, "jiffies");
    view.hz = count(trial, "hz");
    view.expected_ticks = figure(trial, "expected_ticks");
    view.lost_ticks = figure(trial, "lost_ticks");
    view.model_lost_ticks = read_model(trial);
    view.slip_s = number(member(trial, "slip_s"), "value");
    view.missing = texts(member(trial, "missing"));
    view.capture = text(trial, "capture");
    view.record_on_wire = span(trial, "record_on_wire");
    view.marker_on_wire = span(trial, "marker_on_wire");
    return view;
}

std::vector<TrialView> read_trials(const json& result) {
    std::vector<TrialView> trials;
    for (const auto& one : items(result, "cases")) {
        for (const auto& point : items(one, "points")) {
            for (const auto& trial : items(point, "trials"))
                trials.push_back(read_trial(trial, text(one, "case"), point_text(member(point, "parameters"))));
        }
    }
    std::ranges::stable_sort(trials, {}, &TrialView::trial);
    return trials;
}

std::vector<CheckView> read_checks(const json& result) {
    std::vector<CheckView> checks;
    for (const auto& check : items(result, "checks"))
        checks.push_back({text(check, "name"), text(check, "kind"), outcome_of(text(check, "verdict")),
                          figure(check, "figure"), text(check, "unit"), text(check, "limit"), text(check, "why")});
    return checks;
}

std::vector<FitView> read_fits(const json& result) {
    std::vector<FitView> fits;
    for (const auto& fit : items(result, "fits")) {
        const auto slope = figure(fit, "slope_s_per_frame");
        const auto intercept = figure(fit, "intercept_s");
        if (!slope || !intercept) continue;
        fits.push_back({text(fit, "case"), text(fit, "of"), text(fit, "over"), *slope, *intercept,
                        number(fit, "residual_rms_s"), count(fit, "trials")});
    }
    return fits;
}

std::vector<std::pair<std::string, std::uint64_t>> read_rejected(const json& trials) {
    std::vector<std::pair<std::string, std::uint64_t>> rejected;
    const json& reasons = member(trials, "rejected");
    if (!reasons.is_object()) return rejected;
    for (const auto& [reason, attempts] : reasons.items()) {
        if (attempts.is_number_unsigned() || attempts.is_number_integer())
            rejected.emplace_back(reason, attempts.get<std::uint64_t>());
    }
    return rejected;
}

}  // namespace

std::optional<Figure> TrialView::figure_of(std::string_view account) const {
    if (account == "wire") return wire_s;
    if (account == "interval") return interval_s;
    if (account == "irq_off") return irq_off_s;
    if (account == "marker") return marker_s;
    return std::nullopt;
}

const SectionView* TrialView::longest_section() const {
    const auto longest = std::ranges::max_element(sections, {}, &SectionView::duration_s);
    return longest == sections.end() ? nullptr : &*longest;
}

std::string TrialView::place() const {
    return point.empty() ? case_name : fmt::format("{}, {}", case_name, point);
}

std::string RunView::environment_value(std::string_view name) const {
    const auto found = std::ranges::find(environment, name, [](const auto& entry) { return entry.first; });
    return found == environment.end() ? std::string() : found->second;
}

const TrialView* RunView::worst_trial() const {
    const auto size = [](const TrialView& t) {
        return t.irq_off_s ? t.irq_off_s->value : t.wire_s ? t.wire_s->value : 0;
    };
    const TrialView* worst = nullptr;
    for (const auto& trial : trials) {
        if (trial.certified && (worst == nullptr || size(trial) > size(*worst))) worst = &trial;
    }
    return worst;
}

const FitView* RunView::headline_fit() const {
    for (const std::string_view account : {"irq_off", "wire"}) {
        const auto found = std::ranges::find(fits, account, &FitView::of);
        if (found != fits.end()) return &*found;
    }
    return nullptr;
}

RunView read_run(const json& result) {
    if (text(result, "schema") != schema)
        throw PlanError(fmt::format("the result has schema '{}' where '{}' is read", text(result, "schema"), schema),
                        "make it again from its bundle with rig replay");
    RunView run;
    run.plan = text(result, "plan");
    run.station = text(result, "station");
    run.verdict = outcome_of(text(result, "verdict"));
    run.culprit = text(result, "culprit");
    run.cause = text(result, "cause");
    run.hint = text(result, "hint");
    for (const auto& account : items(result, "accounts")) run.accounts.push_back(as_text(account));
    run.sources = texts(member(result, "sources"));
    run.missing = texts(member(result, "missing"));
    for (const auto& notice : items(result, "notices"))
        run.notices.emplace_back(text(notice, "about"), text(notice, "what"));
    const json& trials = member(result, "trials");
    run.attempted = count(trials, "attempted").value_or(0);
    run.certified = count(trials, "certified").value_or(0);
    run.rejected = read_rejected(trials);
    run.checks = read_checks(result);
    run.trials = read_trials(result);
    run.fits = read_fits(result);
    run.environment = texts(member(result, "environment"));
    return run;
}

std::vector<PointView> points_of(const RunView& run) {
    std::vector<PointView> points;
    for (const auto& trial : run.trials) {
        auto point = std::ranges::find_if(
            points, [&](const PointView& p) { return p.case_name == trial.case_name && p.point == trial.point; });
        if (point == points.end()) point = points.insert(points.end(), {trial.case_name, trial.point, {}});
        point->trials.push_back(&trial);
    }
    return points;
}

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass:
            return "pass";
        case Outcome::fail:
            return "fail";
        case Outcome::inconclusive:
            return "inconclusive";
        case Outcome::error:
            return "error";
        case Outcome::skipped:
            return "skipped";
    }
    return "error";
}

std::string_view sign_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass:
            return "✓";
        case Outcome::fail:
            return "✗";
        case Outcome::inconclusive:
            return "?";
        case Outcome::error:
            return "!";
        case Outcome::skipped:
            return "–";
    }
    return "!";
}

}  // namespace rig::reports
