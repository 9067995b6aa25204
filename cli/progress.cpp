// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progress.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rig::cli {
namespace {

using analysis::TrialResult;
using session::Progress;
using clock = std::chrono::steady_clock;

std::string point_of(const TrialResult& trial) {
    std::string text = trial.case_name;
    for (const auto& [name, value] : trial.parameters) text += fmt::format(" {}={}", name, value);
    return text;
}

std::string figures_of(const TrialResult& trial) {
    std::string text;
    const auto add = [&text](std::string_view name, const std::optional<analysis::Figure>& figure) {
        if (figure) text += fmt::format(", {} {}", name, show_duration(figure->value));
    };
    add("wire", trial.wire_s);
    add("irq_off", trial.irq_off_s);
    add("marker", trial.marker_s);
    if (trial.lost_ticks) text += fmt::format(", {:.1f} ticks lost", trial.lost_ticks->value);
    return text;
}

std::string outcome_of(const TrialResult& trial) {
    return trial.certified ? "certified" + figures_of(trial) : "rejected: " + trial.why;
}

/// What is left at the pace so far; empty at the start.
std::string time_left(Progress progress, clock::time_point began) {
    if (progress.done == 0) return {};
    const auto took = std::chrono::duration<double>(clock::now() - began).count();
    return fmt::format(", {:.0f} s to go", took / progress.done * (progress.wanted - progress.done));
}

class Lines final : public session::Observer {
public:
    void step(const std::string& what) override { std::cerr << "rig: " << what << std::endl; }
    void trial(const TrialResult& trial, Progress progress) override {
        std::cerr << fmt::format("rig: trial {} ({}/{}) {}: {}", trial.trial, progress.done, progress.wanted,
                                 point_of(trial), outcome_of(trial))
                  << std::endl;
    }
};

class Live final : public session::Observer {
public:
    ~Live() override {
        if (shown_) std::cerr << "\r\x1b[K" << std::flush;
    }
    void step(const std::string& what) override { show(what + " …"); }
    void trial(const TrialResult& trial, Progress progress) override {
        if (!began_) began_ = clock::now();
        if (!trial.certified) {
            std::cerr << fmt::format("\r\x1b[Krig: trial {} {} {}\n", trial.trial, point_of(trial), outcome_of(trial));
        }
        constexpr unsigned width = 24;
        const auto filled = progress.wanted == 0 ? 0 : progress.done * width / progress.wanted;
        std::string bar;
        for (unsigned i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
        show(fmt::format("{} {}/{} {}{}{}", bar, progress.done, progress.wanted, point_of(trial), figures_of(trial),
                         time_left(progress, *began_)));
    }

private:
    void show(const std::string& text) {
        std::cerr << "\r\x1b[K" << text << std::flush;
        shown_ = true;
    }
    bool shown_ = false;
    std::optional<clock::time_point> began_;
};

class Json final : public session::Observer {
public:
    void step(const std::string& what) override { print({{"event", "step"}, {"step", what}}); }
    void trial(const TrialResult& trial, Progress progress) override {
        nlohmann::ordered_json line{{"event", "trial"},          {"trial", trial.trial},
                                    {"case", trial.case_name},   {"done", progress.done},
                                    {"wanted", progress.wanted}, {"certified", trial.certified},
                                    {"why", trial.why},          {"parameters", trial.parameters}};
        const auto add = [&line](const char* name, const std::optional<analysis::Figure>& figure) {
            if (figure) line[name] = {{"value", figure->value}, {"u", figure->u}};
        };
        add("wire_s", trial.wire_s);
        add("irq_off_s", trial.irq_off_s);
        add("marker_s", trial.marker_s);
        add("lost_ticks", trial.lost_ticks);
        print(line);
    }

private:
    static void print(const nlohmann::ordered_json& line) {
        std::cout << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
    }
};

}  // namespace

std::unique_ptr<session::Observer> make_progress(ProgressStyle style) {
    switch (style) {
        case ProgressStyle::live:
            return std::make_unique<Live>();
        case ProgressStyle::json:
            return std::make_unique<Json>();
        case ProgressStyle::lines:
            break;
    }
    return std::make_unique<Lines>();
}

}  // namespace rig::cli
