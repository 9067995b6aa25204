// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/session/session.hpp"

#include "rig/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rig::session {
namespace {

using device::awaitable;

/// An analyzer that ends this many captures in a row before their limit is lost, not unlucky.
constexpr unsigned most_short_captures = 4;

unsigned wanted_trials(const plan::Plan& plan) {
    unsigned wanted = 0;
    for (const auto& one : plan.cases) wanted += one.trials * static_cast<unsigned>(one.points.size());
    return wanted;
}

/// The state of one run between its trials.
class Run {
public:
    Run(engine::Engine& engine, const lab::Station& station, const plan::Plan& plan, evidence::Recorder& recorder,
        Observer& observer)
        : engine_(engine), station_(station), plan_(plan), recorder_(recorder), observer_(observer) {
        progress_.wanted = wanted_trials(plan);
    }

    awaitable<void> all() {
        co_await engine_.bring_up();
        read_facts();
        for (const auto& one : plan_.cases) {
            for (const auto& point : one.points) {
                for (unsigned repetition = 0; repetition < one.trials; ++repetition) co_await repeat(one, point);
            }
        }
    }

private:
    /// A kernel whose patch speaks otherwise than this rig reads is not what the plan would measure.
    void read_facts() {
        try {
            facts_ = analysis::read_facts(evidence::Bundle::files_of(recorder_.bundle()));
        } catch (const Error& error) {
            throw BenchError(error.what(), "build the kernel with the patches of this rig's firmware-target");
        }
    }

    /// One repetition at one point: attempts until one is certified or the plan allows no more.
    awaitable<void> repeat(const plan::Case& one, plan::Parameters point) {
        for (unsigned attempt = 1; attempt <= 1 + plan_.certificate.retries; ++attempt) {
            engine::TrialRequest request{++trials_, &one, point, attempt};
            const auto record = co_await engine_.run_trial(request);
            const auto bundle = evidence::Bundle::files_of(recorder_.bundle());
            const auto result = analysis::assess(bundle, record, plan_, station_, facts_);
            if (result.certified) ++progress_.done;
            observer_.trial(result, progress_);
            stop_when_lost(record);
            if (result.certified) co_return;
        }
    }

    void stop_when_lost(const evidence::TrialRecord& record) {
        if (record.failure && record.failure->culprit == Culprit::dut)
            throw DutError(record.failure->what, record.failure->hint);
        const bool short_capture = record.capture && record.capture->samples < record.capture->limit;
        short_captures_ = short_capture ? short_captures_ + 1 : 0;
        if (short_captures_ < most_short_captures) return;
        throw BenchError(
            fmt::format("the analyzer ended {} captures in a row before their limit; the last after {} of {} samples{}",
                        short_captures_, record.capture->samples, record.capture->limit,
                        record.capture->error.empty() ? "" : ": " + record.capture->error),
            "check its cable and its power, or lower the sample rate");
    }

    engine::Engine& engine_;
    const lab::Station& station_;
    const plan::Plan& plan_;
    evidence::Recorder& recorder_;
    Observer& observer_;
    target::ClockFacts facts_;
    Progress progress_;
    unsigned trials_ = 0;
    unsigned short_captures_ = 0;
};

}  // namespace

void Interrupt::request(std::string why) {
    why_ = std::move(why);
    if (engine_ != nullptr) engine_->interrupt(why_);
}

void Interrupt::connect(engine::Engine* engine) {
    engine_ = engine;
    if (engine_ != nullptr && !why_.empty()) engine_->interrupt(why_);
}

void require(const plan::Plan& plan, const lab::Station& station) {
    for (const auto& channel : plan.needs_channels) {
        if (station.analyzer.channels.contains(channel)) continue;
        throw PlanError(fmt::format("plan '{}' needs the analyzer channel {}, which station '{}' does not have",
                                    plan.name, channel, station.name),
                        fmt::format("wire it and add {} to the station's channels", channel));
    }
}

awaitable<void> record_run(engine::Instruments instruments, const lab::Station& station, const plan::Plan& plan,
                           evidence::Recorder& recorder, Observer& observer, Interrupt& interrupt) {
    engine::Engine engine(instruments, station, plan, recorder, observer);
    interrupt.connect(&engine);
    Run run(engine, station, plan, recorder, observer);
    std::optional<evidence::Failure> failure;
    try {
        co_await run.all();
    } catch (const Error& error) {
        failure = evidence::Failure::of(error);
    } catch (const std::exception& error) {
        failure =
            evidence::Failure{Culprit::rig, error.what(), "this is a bug of rig: please report it with the bundle"};
    }
    interrupt.connect(nullptr);
    co_await engine.shut_down();
    recorder.end(instruments.clock.now(), failure);
    recorder.seal();
}

}  // namespace rig::session
