// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"
#include "rig/evidence/recorder.hpp"

#include <exception>
#include <string>
#include <utility>

namespace rig::engine {

/// One action of the engine with its deadline. Its begin and its end are lines of events.jsonl; an end without `done`
/// is a failure, however it came.
class Step {
public:
    Step(evidence::Recorder& recorder, const device::Clock& clock, std::string what, host_clock::duration within)
        : recorder_(recorder), clock_(clock), deadline_{std::move(what), clock.now() + within} {
        recorder_.event(clock_.now(), "step_begin",
                        {{"step", deadline_.what}, {"deadline_ns", deadline_.until.time_since_epoch().count()}});
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
        try {
            recorder_.event(clock_.now(), "step_end", {{"step", deadline_.what}, {"outcome", done_ ? "ok" : "failed"}});
        } catch (const std::exception&) {
            // The disk refuses even this line. The error that brought us here, or the next write, tells it.
            return;
        }
    }

    [[nodiscard]] const device::Deadline& deadline() const { return deadline_; }
    void done() { done_ = true; }

private:
    evidence::Recorder& recorder_;
    const device::Clock& clock_;
    device::Deadline deadline_;
    bool done_ = false;
};

}  // namespace rig::engine
