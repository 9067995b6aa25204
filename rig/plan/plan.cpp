// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace rig::plan {
namespace {

constexpr std::array account_names{"wire", "interval", "jiffies", "irq_off", "marker"};
constexpr std::array feature_names{"printk_test", "irq_latency", "marker", "timer_list", "preemptirq"};
constexpr std::size_t most_points = 10'000;

/// The accounts that are durations, and so can be compared with each other and fitted.
Account as_duration_account(const yaml::Node& node) {
    constexpr std::array durations{Account::wire, Account::interval, Account::irq_off, Account::marker};
    return durations[node.as_one_of({"wire", "interval", "irq_off", "marker"})];
}

constexpr std::int64_t longest_record = 900;
constexpr std::int64_t most_records = 100;
/// "test ", the nonce, a space and a digit.
constexpr std::int64_t shortest_record = 15;

Number as_number(const yaml::Node& node, const std::vector<std::string>& swept, std::int64_t least, std::int64_t most) {
    const std::string text = node.as_string();
    if (text.starts_with('$')) {
        std::string name = text.substr(1);
        if (std::find(swept.begin(), swept.end(), name) == swept.end())
            node.fail(fmt::format("names '{}', which this case does not sweep", text),
                      fmt::format("add sweep: {{ {}: [16, 256] }}", name));
        return name;
    }
    const std::int64_t value = node.as_integer();
    if (value < least || value > most) node.fail(fmt::format("must be {} to {}, not {}", least, most, value));
    return value;
}

PrintkTestStimulus read_printk_test(const yaml::Node& node, const std::vector<std::string>& swept) {
    yaml::Map map(node);
    PrintkTestStimulus stimulus{.length = as_number(map.require("length", "length: 256"), swept, 1, longest_record)};
    if (auto count = map.find("count")) stimulus.count = as_number(*count, swept, 1, most_records);
    map.done();
    return stimulus;
}

Number read_length(const yaml::Node& node, const std::vector<std::string>& swept) {
    yaml::Map map(node);
    Number length = as_number(map.require("length", "length: 256"), swept, shortest_record, longest_record);
    map.done();
    return length;
}

Stimulus read_stimulus(const yaml::Node& node, const std::vector<std::string>& swept) {
    yaml::Map map(node);
    std::vector<Stimulus> stimuli;
    if (const auto shell = map.find("shell")) stimuli.emplace_back(ShellStimulus{shell->as_line()});
    if (const auto printk_test = map.find("printk_test")) stimuli.emplace_back(read_printk_test(*printk_test, swept));
    if (const auto kmsg = map.find("kmsg")) stimuli.emplace_back(KmsgStimulus{read_length(*kmsg, swept)});
    if (const auto tty = map.find("tty")) stimuli.emplace_back(TtyStimulus{read_length(*tty, swept)});
    map.done();
    if (stimuli.size() != 1)
        node.fail("must be exactly one of shell, printk_test, kmsg and tty", "try stimulus: { shell: sync }");
    return stimuli.front();
}

struct Sweep {
    std::vector<std::string> names;
    std::vector<Parameters> points{Parameters{}};
};

Sweep read_sweep(const yaml::Node& node) {
    Sweep sweep;
    for (const auto& [name, values, place] : node.as_entries()) {
        const auto items = values.as_list();
        if (items.empty()) values.fail("must have at least one value", "try [16, 64, 256]");
        std::vector<Parameters> points;
        for (const auto& point : sweep.points) {
            for (const auto& item : items) {
                Parameters next = point;
                next[name] = item.as_integer();
                points.push_back(std::move(next));
            }
            if (points.size() > most_points) node.fail(fmt::format("has more than {} points", most_points));
        }
        sweep.names.push_back(name);
        sweep.points = std::move(points);
    }
    return sweep;
}

/// What a swept number of a stimulus may be, as one that is written out.
struct SweptRange {
    std::string_view what;
    std::string_view unit;
    const Number& number;
    std::int64_t least;
    std::int64_t most;
};

std::vector<SweptRange> swept_ranges(const Stimulus& stimulus) {
    if (const auto* kmsg = std::get_if<KmsgStimulus>(&stimulus))
        return {{"length", "characters", kmsg->length, shortest_record, longest_record}};
    if (const auto* tty = std::get_if<TtyStimulus>(&stimulus))
        return {{"length", "characters", tty->length, shortest_record, longest_record}};
    if (const auto* printk = std::get_if<PrintkTestStimulus>(&stimulus))
        return {{"length", "characters", printk->length, 1, longest_record},
                {"count", "records", printk->count, 1, most_records}};
    return {};
}

void check_points(const Case& one, const yaml::Node& node) {
    for (const auto& range : swept_ranges(one.stimulus)) {
        for (const auto& point : one.points) {
            const auto value = value_at(range.number, point);
            if (value < range.least || value > range.most)
                node.fail(fmt::format("sweeps to a {} of {}", range.what, value),
                          fmt::format("{} to {} {}", range.least, range.most, range.unit));
        }
    }
}

Case read_case(const yaml::Node& node) {
    yaml::Map map(node);
    Case one;
    one.name = map.require("case", "case: sync").as_line();
    Sweep sweep;
    if (auto swept = map.find("sweep")) sweep = read_sweep(*swept);
    const auto stimulus = map.require("stimulus", "stimulus: { shell: sync }");
    one.stimulus = read_stimulus(stimulus, sweep.names);
    one.points = std::move(sweep.points);
    if (auto trials = map.find("trials")) one.trials = static_cast<unsigned>(trials->as_count(1, 100'000));
    map.done();
    check_points(one, stimulus);
    return one;
}

double read_share(yaml::Map& map) {
    const auto node = map.find("in at least");
    if (!node) return 1;
    const double share = node->as_ratio();
    if (share > 1) node->fail("must be at most 100 %");
    if (share <= 0) node->fail("must be above 0 %, or the check could not fail");
    return share;
}

AgreeCheck read_agree(const yaml::Node& node, yaml::Map& map) {
    const auto pair = node.as_list();
    if (pair.size() != 2) node.fail("must name two accounts", "try agree: [irq_off, wire]");
    AgreeCheck check{as_duration_account(pair[0]), as_duration_account(pair[1]), {}, 1};
    if (check.figure == check.reference)
        node.fail(fmt::format("compares {} with itself", name_of(check.figure)), "try agree: [irq_off, wire]");
    check.within = map.require("within", "within: 3 % + 500 us").as_tolerance();
    check.share = read_share(map);
    return check;
}

LostTicksCheck read_model(const yaml::Node& node, yaml::Map& map) {
    static_cast<void>(node.as_one_of({"lost_ticks"}));
    LostTicksCheck check;
    if (auto within = map.find("within")) {
        const std::string text = within->as_string();
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), check.within);
        const std::string_view unit(rest, text.data() + text.size());
        if (error != std::errc{} || (unit != " tick" && unit != " ticks"))
            within->fail("wants a whole number of ticks (try '1 tick')");
    }
    check.share = read_share(map);
    return check;
}

/// "1 frame ± 3 %", "1 frame +- 3 %".
void read_slope(const yaml::Node& node, SlopeCheck& check) {
    const std::string text = node.as_string();
    const auto expected = "wants frames and a tolerance (try '1 frame ± 3 %')";
    for (const std::string_view sign : {"±", "+-", "+/-"}) {
        const auto at = text.find(sign);
        if (at == std::string::npos) continue;
        const std::string frames = text.substr(0, at);
        const auto [rest, error] = std::from_chars(frames.data(), frames.data() + frames.size(), check.frames);
        const std::string_view unit(rest, frames.data() + frames.size());
        const auto ratio = parse_ratio(std::string_view(text).substr(at + sign.size()));
        const bool in_frames = unit == " frame" || unit == " frame " || unit == " frames ";
        if (error != std::errc{} || !in_frames || !ratio) break;
        if (!std::isfinite(check.frames) || check.frames <= 0) break;
        check.within = *ratio;
        return;
    }
    node.fail(expected);
}

SlopeCheck read_fit(const yaml::Node& node, yaml::Map& map) {
    const std::string text = node.as_string();
    SlopeCheck check{Account::irq_off, 1, 0};
    bool known = false;
    for (const auto account : {Account::wire, Account::interval, Account::irq_off, Account::marker}) {
        if (text != fmt::format("{} over frames", name_of(account))) continue;
        check.of = account;
        known = true;
    }
    if (!known) node.fail(fmt::format("does not know '{}'", text), "try fit: irq_off over frames");
    read_slope(map.require("slope", "slope: 1 frame ± 3 %"), check);
    return check;
}

LimitCheck read_limit(const yaml::Node& node, yaml::Map& map) {
    LimitCheck check{.of = as_duration_account(node)};
    const auto at_most = map.require("at most", "at most: 1 ms");
    check.at_most = at_most.as_duration();
    if (auto marginal = map.find("marginal")) {
        check.marginal = marginal->as_duration();
        if (*check.marginal >= check.at_most) marginal->fail("must be below what 'at most' says");
    }
    check.share = read_share(map);
    return check;
}

std::string default_name(const Check& check) {
    if (const auto* agree = std::get_if<AgreeCheck>(&check.what))
        return fmt::format("{} agrees with {}", name_of(agree->figure), name_of(agree->reference));
    if (const auto* slope = std::get_if<SlopeCheck>(&check.what))
        return fmt::format("slope of {} over frames", name_of(slope->of));
    if (const auto* limit = std::get_if<LimitCheck>(&check.what))
        return fmt::format("{} stays within its limit", name_of(limit->of));
    return "lost ticks follow the model";
}

/// A line wants three lengths: a slope over fewer would leave every run undecided.
void refuse_undecidable_slope(const yaml::Node& node, const std::string& of_case, const std::vector<Case>& cases) {
    const bool decidable = std::any_of(cases.begin(), cases.end(), [&](const Case& one) {
        return (of_case.empty() || one.name == of_case) && one.points.size() >= least_lengths;
    });
    if (!decidable)
        node.fail(fmt::format("fits a line, and no case of it sweeps {} values or more", least_lengths),
                  "try sweep: { chars: [16, 64, 256] }");
}

Check read_check(const yaml::Node& node, const std::vector<Case>& cases) {
    yaml::Map map(node);
    Check check;
    const auto agree = map.find("agree");
    const auto model = map.find("model");
    const auto fit = map.find("fit");
    const auto limit = map.find("limit");
    if (agree.has_value() + model.has_value() + fit.has_value() + limit.has_value() != 1)
        node.fail("must have exactly one of agree, model, fit, limit",
                  "try { agree: [irq_off, wire], within: 3 % + 500 us }");
    if (agree) check.what = read_agree(*agree, map);
    if (model) check.what = read_model(*model, map);
    if (fit) check.what = read_fit(*fit, map);
    if (limit) check.what = read_limit(*limit, map);
    check.name = default_name(check);
    if (auto of_case = map.find("case")) {
        check.of_case = of_case->as_string();
        const bool known =
            std::any_of(cases.begin(), cases.end(), [&](const Case& c) { return c.name == check.of_case; });
        if (!known) of_case->fail(fmt::format("names '{}', which is no case of this plan", check.of_case));
        check.name += fmt::format(" ({})", check.of_case);
    }
    if (std::holds_alternative<SlopeCheck>(check.what)) refuse_undecidable_slope(node, check.of_case, cases);
    if (auto name = map.find("name")) check.name = name->as_line();
    if (auto missing = map.find("if missing"))
        check.if_missing =
            std::array{Check::IfMissing::undecided, Check::IfMissing::skip}[missing->as_one_of({"undecided", "skip"})];
    map.done();
    return check;
}

/// A delay is of the bench, which knows of no frames.
Tolerance as_delay_tolerance(const yaml::Node& node) {
    const auto tolerance = node.as_tolerance();
    if (tolerance.frames > 0) node.fail("cannot be stated in frames", "try '1 % + 500 us'");
    return tolerance;
}

CertificateLimits read_certificate(const yaml::Node& node) {
    yaml::Map map(node);
    CertificateLimits limits;
    if (auto v = map.find("retries")) limits.retries = static_cast<unsigned>(v->as_count(0, 100));
    if (auto v = map.find("rejected at most")) limits.rejected_at_most = v->as_ratio();
    if (auto v = map.find("framing errors")) limits.framing_errors = static_cast<unsigned>(v->as_count(0, 1'000'000));
    if (auto v = map.find("idle before")) limits.idle_before = v->as_duration();
    if (auto v = map.find("pacer slip")) limits.pacer_slip = as_delay_tolerance(*v);
    if (auto v = map.find("run delay")) limits.run_delay = as_delay_tolerance(*v);
    map.done();
    return limits;
}

void read_needs(const yaml::Node& node, Plan& plan) {
    yaml::Map map(node);
    if (auto analyzer = map.find("analyzer")) {
        constexpr std::array channels{"tx", "rx", "marker", "heartbeat"};
        for (const auto& item : analyzer->as_list())
            plan.needs_channels.emplace_back(channels[item.as_one_of({"tx", "rx", "marker", "heartbeat"})]);
    }
    map.done();
}

void read_wants(const yaml::Node& node, Plan& plan) {
    yaml::Map map(node);
    if (auto target = map.find("target")) {
        for (const auto& item : target->as_list())
            plan.wants.push_back(
                static_cast<TargetFeature>(item.as_one_of({feature_names.begin(), feature_names.end()})));
    }
    map.done();
}

void read_console(const yaml::Node& node, Plan& plan) {
    yaml::Map map(node);
    if (auto level = map.find("loglevel")) plan.console_loglevel = static_cast<unsigned>(level->as_count(1, 15));
    map.done();
}

void read_cases(const yaml::Node& node, Plan& plan) {
    for (const auto& item : node.as_list()) {
        Case one = read_case(item);
        for (const auto& other : plan.cases) {
            if (other.name == one.name)
                item.fail(fmt::format("repeats the case '{}'", one.name), "give each its own name");
        }
        plan.cases.push_back(std::move(one));
    }
    if (plan.cases.empty()) node.fail("must have at least one case");
}

}  // namespace

std::string_view name_of(Account account) {
    return account_names.at(static_cast<std::size_t>(account));
}
std::string_view name_of(TargetFeature feature) {
    return feature_names.at(static_cast<std::size_t>(feature));
}

std::vector<Account> accounts_of(const Check& check) {
    if (const auto* agree = std::get_if<AgreeCheck>(&check.what)) return {agree->figure, agree->reference};
    if (const auto* slope = std::get_if<SlopeCheck>(&check.what)) return {slope->of};
    if (const auto* limit = std::get_if<LimitCheck>(&check.what)) return {limit->of};
    return {Account::jiffies, Account::irq_off};
}

bool Plan::wants_feature(TargetFeature feature) const {
    return std::find(wants.begin(), wants.end(), feature) != wants.end();
}

Plan read_plan(const yaml::Document& document) {
    yaml::Map map(document.root());
    Plan plan;
    plan.name = map.require("plan", "plan: printk").as_line();
    if (auto about = map.find("about")) plan.about = about->as_string();
    if (auto needs = map.find("needs")) read_needs(*needs, plan);
    if (auto wants = map.find("wants")) read_wants(*wants, plan);
    if (auto console = map.find("console")) read_console(*console, plan);
    if (auto setup = map.find("setup")) {
        for (const auto& item : setup->as_list()) plan.setup.push_back(item.as_line());
    }
    if (auto certificate = map.find("certificate")) plan.certificate = read_certificate(*certificate);
    read_cases(map.require("cases", "cases: [ … ]"), plan);
    if (auto checks = map.find("checks")) {
        for (const auto& item : checks->as_list()) plan.checks.push_back(read_check(item, plan.cases));
    }
    map.done();
    return plan;
}

std::int64_t value_at(const Number& number, const Parameters& parameters) {
    if (const auto* value = std::get_if<std::int64_t>(&number)) return *value;
    return parameters.at(std::get<std::string>(number));
}

}  // namespace rig::plan
