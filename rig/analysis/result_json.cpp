// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/result_json.hpp"

#include <algorithm>

namespace rig::analysis {
namespace {

using json = nlohmann::ordered_json;

json to_json(const Figure& figure) {
    return {{"value", figure.value}, {"u", figure.u}};
}

double seconds(wire_time at) {
    return to_seconds(at.time_since_epoch());
}

json to_json(const Span& span) {
    return {{"begin_s", seconds(span.begin)}, {"end_s", seconds(span.end)}};
}

json to_json(const LostTicks& lost) {
    return {{"least", lost.least.count}, {"most", lost.most.count}};
}

template <class T>
void put(json& object, const char* name, const std::optional<T>& value) {
    if (value) object[name] = to_json(*value);
}

json to_json(const CertificateLine& line) {
    return {{"line", line.line}, {"ok", line.ok ? json(*line.ok) : json(nullptr)}, {"figure", line.figure}};
}

json to_json(const target::IrqOffEvent& event, std::optional<double> u_s, std::optional<target_time> record_time) {
    json object{
        {"site", event.section.site},
        {"cpu", event.section.cpu},
        {"duration_s", {{"value", to_seconds(event.section.duration)}, {"u", u_s ? json(*u_s) : json(nullptr)}}},
        {"irq", event.section.irq ? json(*event.section.irq) : json(nullptr)},
        {"start_s", to_seconds(event.start.time_since_epoch())}};
    if (record_time) object["after_record_s"] = to_seconds(event.start - *record_time);
    return object;
}

json to_json(const TrialResult& trial) {
    json object{{"trial", trial.trial}, {"attempt", trial.attempt}, {"certified", trial.certified}};
    object["certificate"] = json::array();
    for (const auto& line : trial.certificate) object["certificate"].push_back(to_json(line));
    if (trial.frames) object["frames"] = *trial.frames;
    put(object, "baud_hz", trial.baud_hz);
    put(object, "wire_s", trial.wire_s);
    put(object, "interval_s", trial.interval_s);
    put(object, "irq_off_s", trial.irq_off_s);
    put(object, "marker_s", trial.marker_s);
    object["irq_off"] = json::array();
    for (const auto& event : trial.sections)
        object["irq_off"].push_back(to_json(event, trial.section_u_s, trial.record_time));
    if (trial.jiffies) object["jiffies"] = trial.jiffies->count;
    if (trial.hz) object["hz"] = trial.hz->hz;
    put(object, "tick_window_s", trial.tick_window_s);
    put(object, "expected_ticks", trial.expected_ticks);
    put(object, "lost_ticks", trial.lost_ticks);
    put(object, "model_lost_ticks", trial.model_lost_ticks);
    put(object, "slip_s", trial.slip_s);
    object["why"] = trial.why;
    object["missing"] = json::object();
    for (const auto& [account, why] : trial.missing) object["missing"][std::string(plan::name_of(account))] = why;
    if (!trial.capture.empty()) object["capture"] = trial.capture;
    put(object, "record_on_wire", trial.record_on_wire);
    put(object, "marker_on_wire", trial.marker_on_wire);
    return object;
}

json to_json(const CheckResult& check) {
    json object{{"name", check.name}, {"kind", check.kind}, {"verdict", name_of(check.verdict)}};
    object["figure"] = check.figure ? to_json(*check.figure) : json(nullptr);
    object["unit"] = check.unit;
    object["limit"] = check.limit;
    object["why"] = check.why;
    return object;
}

/// The trials grouped by case and by point of the sweep, in the order they were first seen.
json cases_of(const Result& result) {
    json cases = json::array();
    for (const auto& trial : result.trials) {
        auto one =
            std::find_if(cases.begin(), cases.end(), [&](const json& c) { return c["case"] == trial.case_name; });
        if (one == cases.end()) {
            cases.push_back({{"case", trial.case_name}, {"points", json::array()}});
            one = std::prev(cases.end());
        }
        auto& points = (*one)["points"];
        const json parameters = trial.parameters;
        auto point =
            std::find_if(points.begin(), points.end(), [&](const json& p) { return p["parameters"] == parameters; });
        if (point == points.end()) {
            points.push_back({{"parameters", parameters}, {"trials", json::array()}});
            point = std::prev(points.end());
        }
        (*point)["trials"].push_back(to_json(trial));
    }
    return cases;
}

json fits_of(const Result& result) {
    json fits = json::array();
    for (const auto& fit : result.fits) {
        fits.push_back({{"case", fit.of_case},
                        {"of", plan::name_of(fit.of)},
                        {"over", "frames"},
                        {"slope_s_per_frame", to_json(fit.line.slope)},
                        {"intercept_s", to_json(fit.line.intercept)},
                        {"residual_rms_s", fit.line.residual_rms},
                        {"trials", fit.line.points}});
    }
    return fits;
}

}  // namespace

json to_json(const Result& result) {
    json object{{"schema", "rig.result/1"}, {"plan", result.plan}, {"station", result.station}};
    object["verdict"] = name_of(result.verdict);
    object["culprit"] = result.culprit ? json(rig::name_of(*result.culprit)) : json(nullptr);
    object["cause"] = result.cause;
    object["hint"] = result.hint;
    object["accounts"] = json::array();
    for (const auto account : result.accounts) object["accounts"].push_back(plan::name_of(account));
    object["sources"] = json::object();
    for (const auto& [account, from] : result.sources) object["sources"][std::string(plan::name_of(account))] = from;
    object["notices"] = json::array();
    for (const auto& notice : result.notices)
        object["notices"].push_back({{"about", notice.about}, {"what", notice.what}});
    object["missing"] = json::object();
    for (const auto& [account, why] : result.missing) object["missing"][std::string(plan::name_of(account))] = why;
    object["trials"] = {
        {"attempted", result.attempted}, {"certified", result.certified}, {"rejected", result.rejected}};
    object["checks"] = json::array();
    for (const auto& check : result.checks) object["checks"].push_back(to_json(check));
    object["cases"] = cases_of(result);
    object["fits"] = fits_of(result);
    object["clocks"] = json::array();
    object["environment"] = result.environment;
    return object;
}

std::string to_text(const json& result) {
    return result.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace rig::analysis
