// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/console/byte_log.hpp"
#include "rig/device/analyzer.hpp"
#include "rig/device/clock.hpp"
#include "rig/device/console.hpp"
#include "rig/device/power.hpp"
#include "rig/device/witness.hpp"
#include "rig/engine/target_accounts.hpp"
#include "rig/engine/target_shell.hpp"
#include "rig/evidence/recorder.hpp"
#include "rig/lab/station.hpp"
#include "rig/plan/plan.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rig::engine {

/// The instruments of a station. All must outlive the engine; power and witness may be absent.
struct Instruments {
    device::Clock& clock;
    device::Console& console;
    device::Analyzer& analyzer;
    device::Power* power = nullptr;
    device::Witness* witness = nullptr;
};

/// Told what the engine does while it does it, for people. It cannot change anything.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void step(const std::string& what) = 0;
};

/// One attempt of a trial, as the session wants it.
struct TrialRequest {
    unsigned trial = 0;
    const plan::Case* of_case = nullptr;
    plan::Parameters parameters;
    unsigned attempt = 1;
};

/// Drives a station and records. It judges nothing: what it gives is evidence. One strand; every step has a deadline.
class Engine {
public:
    Engine(Instruments instruments, const lab::Station& station, const plan::Plan& plan, evidence::Recorder& recorder,
           Observer& observer);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Powers the board, boots it to its prompt, prepares the target. A BenchError when the bench fails, a PlanError
    /// when the target lacks what a case needs.
    device::awaitable<void> bring_up();

    /// Runs one attempt and gives its record, which is in the bundle already. What went wrong inside the trial is in
    /// the record; an instrument that is lost throws.
    device::awaitable<evidence::TrialRecord> run_trial(TrialRequest request);

    /// Ends what goes on at its next wait, with `why` as the cause. From the strand.
    void interrupt(const std::string& why);

    /// Ends the console and switches the board off, where the station can; the one whether or not the other succeeds,
    /// and also when nothing can be recorded any more. What fails is noted in the bundle. Never throws.
    device::awaitable<void> shut_down();

private:
    device::awaitable<void> pump();
    device::awaitable<void> power_cycle();
    device::awaitable<void> leave(std::string what, device::awaitable<void> (Engine::*action)());
    device::awaitable<void> close_console();
    device::awaitable<void> power_off();
    device::awaitable<void> find_analyzer();
    device::awaitable<void> boot();
    device::awaitable<void> record_target();
    device::awaitable<void> record_bench();
    device::awaitable<void> set_loglevel();
    device::awaitable<void> run_setup();
    device::awaitable<void> load_module();
    device::awaitable<void> find_accounts();
    device::awaitable<std::string> probe(TargetAccount account);
    [[nodiscard]] bool has(plan::TargetFeature feature) const;
    [[nodiscard]] bool prints_records() const;
    void refuse_impossible_cases() const;
    device::awaitable<void> refuse_unwritable_kmsg();
    device::awaitable<void> put_back();

    device::awaitable<void> prepare(const TrialRequest& request, std::string nonce);
    device::awaitable<void> capture_stimulus(const TrialRequest& request, evidence::TrialRecord& record);
    device::awaitable<void> stimulate(const TrialRequest& request, evidence::TrialRecord& record);
    device::awaitable<void> find_out_what_happened(evidence::TrialRecord& record);
    device::awaitable<void> collect(const TrialRequest& request, evidence::TrialRecord& record);
    [[nodiscard]] std::string stimulus_line(const TrialRequest& request, const std::string& nonce) const;
    [[nodiscard]] std::uint64_t capture_samples(const TrialRequest& request) const;
    /// What the trial may take on the wire at most, for deadlines and the capture's length; no figure comes from it.
    [[nodiscard]] host_clock::duration time_on_wire(const TrialRequest& request) const;
    device::awaitable<bool> fetch(TargetOutput output, std::string store_as);

    Instruments instruments_;
    const lab::Station& station_;
    const plan::Plan& plan_;
    evidence::Recorder& recorder_;
    Observer& observer_;
    console::ByteLog log_;
    TargetShell shell_;
    std::vector<TargetAccount> accounts_;  ///< those that the plan wants and the target has
    std::string loglevels_;                ///< as they were
    bool module_loaded_ = false;           ///< by rig
    bool at_prompt_ = false;               ///< a shell has answered
    /// The longest that a capture has taken so far from being asked for to its first idle samples.
    host_clock::duration capture_start_{0};
    device::Signal pump_done_;
    bool pumping_ = false;
};

}  // namespace rig::engine
