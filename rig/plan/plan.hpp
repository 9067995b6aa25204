// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/quantity.hpp"
#include "rig/yaml/document.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The plan as a person wrote it, typed: what a station must have, what is done to it, and what must hold.
namespace rig::plan {

/// The accounts of a trial that a check may speak of; the same words in plans, results and reports.
enum class Account { wire, interval, jiffies, irq_off, marker };
std::string_view name_of(Account account);

/// What a target may offer; a plan's `wants: { target: […] }`. The first three come with the patches or the module of
/// firmware-target, timer_list and preemptirq with the kernel itself.
enum class TargetFeature { printk_test, irq_latency, marker, timer_list, preemptirq };
std::string_view name_of(TargetFeature feature);

/// A number of the plan: written out, or the name of a swept parameter ("$length").
using Number = std::variant<std::int64_t, std::string>;

/// Types a command into the target's shell; what it makes the kernel print is found by the nonce set before.
struct ShellStimulus {
    std::string command;
};

/// Asks /proc/printk_test for `count` records of `length` characters of message text.
struct PrintkTestStimulus {
    Number length;
    Number count = std::int64_t{1};
};

/// Writes one record of `length` characters of message text to /dev/kmsg, and a short one behind it: any kernel can.
struct KmsgStimulus {
    Number length;
};

/// Has the shell print one line of `length` characters on its terminal: no record of the kernel, and no right needed.
struct TtyStimulus {
    Number length;
};

using Stimulus = std::variant<ShellStimulus, PrintkTestStimulus, KmsgStimulus, TtyStimulus>;

/// The point of a sweep: each swept parameter with its value there.
using Parameters = std::map<std::string, std::int64_t>;

struct Case {
    std::string name;
    Stimulus stimulus;
    std::vector<Parameters> points;  ///< the sweep written out; one empty point when nothing is swept
    unsigned trials = 1;             ///< certified trials wanted at each point
};

/// Two accounts lie within a tolerance of each other in at least a share of the certified trials.
struct AgreeCheck {
    Account figure;
    Account reference;
    Tolerance within;
    double share = 1;
};

/// Lost ticks are, within `within` ticks, what the tick model predicts for the IRQ-off sections of the trial.
struct LostTicksCheck {
    std::uint64_t within = 1;
    double share = 1;
};

/// Fewer lengths than these show no line.
inline constexpr std::size_t least_lengths = 3;

/// The slope of an account over the frames of the record is one frame time (of the fitted baud) within a ratio.
struct SlopeCheck {
    Account of;
    double frames = 1;
    double within = 0;
};

/// An account stays at or below a limit in at least a share of the certified trials.
struct LimitCheck {
    Account of = Account::irq_off;
    std::chrono::nanoseconds at_most{0};
    /// Figures above this pass, and are spoken of; none: nothing is marginal.
    std::optional<std::chrono::nanoseconds> marginal{};
    double share = 1;
};

struct Check {
    std::string name;
    std::string of_case;  ///< empty: the trials of every case
    std::variant<AgreeCheck, LostTicksCheck, SlopeCheck, LimitCheck> what;
    /// What becomes of it where the run has not all of its accounts.
    enum class IfMissing { undecided, skip } if_missing = IfMissing::undecided;
};

/// The accounts that a check compares.
std::vector<Account> accounts_of(const Check& check);

/// What a trial's certificate allows, and what happens to trials that get none.
struct CertificateLimits {
    unsigned retries = 3;            ///< further attempts of a rejected trial
    double rejected_at_most = 0.30;  ///< more than this share of attempts makes the run inconclusive
    unsigned framing_errors = 0;
    std::chrono::nanoseconds idle_before{std::chrono::milliseconds{2}};
    // A delay within the record lengthens it on the wire and with interrupts off alike, one at its end only the latter;
    // a longer record meets more of both, so they are held against its time on the wire.
    Tolerance pacer_slip{.relative = 0.01, .absolute = std::chrono::microseconds{500}};
    Tolerance run_delay{.relative = 0.01, .absolute = std::chrono::microseconds{500}};
};

struct Plan {
    std::string name;
    std::string about;
    std::vector<std::string> needs_channels;  ///< analyzer channels the station must have
    std::vector<TargetFeature> wants;         ///< used where the target has them, named as missing elsewhere
    unsigned console_loglevel = 7;            ///< set before the first trial and read back
    std::vector<std::string> setup;           ///< shell commands run once after boot
    CertificateLimits certificate;
    std::vector<Case> cases;
    std::vector<Check> checks;

    [[nodiscard]] bool wants_feature(TargetFeature feature) const;
};

/// The typed plan of a document; a PlanError naming file:line:column when it is not one.
Plan read_plan(const yaml::Document& document);

/// `number` at a point of the sweep.
std::int64_t value_at(const Number& number, const Parameters& parameters);

}  // namespace rig::plan
