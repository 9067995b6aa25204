// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/trial_result.hpp"
#include "rig/engine/engine.hpp"
#include "rig/evidence/recorder.hpp"
#include "rig/plan/plan.hpp"

#include <string>

namespace rig::session {

/// How far a run is.
struct Progress {
    unsigned done = 0;    ///< certified trials so far
    unsigned wanted = 0;  ///< certified trials that the plan asks for
};

/// Told what goes on, for people and machines that watch. It changes nothing.
class Observer : public engine::Observer {
public:
    /// An attempt came to its end and was assessed.
    virtual void trial(const analysis::TrialResult& trial, Progress progress) = 0;
};

/// The way to end a run early, from the strand. Whoever holds it may ask before, during and after the run.
class Interrupt {
public:
    void request(std::string why);
    /// Used by the run while it goes on.
    void connect(engine::Engine* engine);

private:
    engine::Engine* engine_ = nullptr;
    std::string why_;
};

/// A PlanError when the station lacks what the plan needs; asked before anything is switched on.
void require(const plan::Plan& plan, const lab::Station& station);

/// Drives the engine trial by trial and asks the analysis whether each has its certificate; a rejected one is repeated
/// as the plan allows. Ends with the bundle sealed, whatever happened: a failure is in the bundle, and the analysis
/// makes the verdict of it.
device::awaitable<void> record_run(engine::Instruments instruments, const lab::Station& station, const plan::Plan& plan,
                                   evidence::Recorder& recorder, Observer& observer, Interrupt& interrupt);

}  // namespace rig::session
