// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace rig {

/// Who has to act when something went wrong; the exit code follows from it.
enum class Culprit { dut, rig, bench, plan };

/// The field's word for a culprit, as in result.json: "dut", "rig", "bench", "plan".
std::string_view name_of(Culprit culprit);

/// The exit code that an error of this culprit ends a command with (1 dut, 3 bench, 4 plan, 5 rig).
int exit_code_of(Culprit culprit);

/// The one exception family of rig: what went wrong, whose it is, what to try next, and where the evidence lies.
/// `what()` is one sentence; `hint()` and `evidence()` may be empty.
class Error : public std::exception {
public:
    Error(Culprit culprit, std::string what, std::string hint = {}, std::string evidence = {});

    [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }
    [[nodiscard]] Culprit culprit() const noexcept { return culprit_; }
    [[nodiscard]] const std::string& hint() const noexcept { return hint_; }
    [[nodiscard]] const std::string& evidence() const noexcept { return evidence_; }

    /// The sentence with its hint, as a user reads it on a terminal.
    [[nodiscard]] std::string message() const;

private:
    Culprit culprit_;
    std::string what_;
    std::string hint_;
    std::string evidence_;
};

/// An error of the board under test: it panicked, hung or rebooted.
class DutError : public Error {
public:
    explicit DutError(std::string what, std::string hint = {}, std::string evidence = {})
        : Error(Culprit::dut, std::move(what), std::move(hint), std::move(evidence)) {}
};

/// An error of an instrument, a wire, a disk: something on the bench.
class BenchError : public Error {
public:
    explicit BenchError(std::string what, std::string hint = {}, std::string evidence = {})
        : Error(Culprit::bench, std::move(what), std::move(hint), std::move(evidence)) {}
};

/// An error of what a person wrote: a plan, a lab file, a command line, an input file.
class PlanError : public Error {
public:
    explicit PlanError(std::string what, std::string hint = {}, std::string evidence = {})
        : Error(Culprit::plan, std::move(what), std::move(hint), std::move(evidence)) {}
};

/// An error of rig itself: a state that our own code promised never to reach.
class RigError : public Error {
public:
    explicit RigError(std::string what, std::string hint = {}, std::string evidence = {})
        : Error(Culprit::rig, std::move(what), std::move(hint), std::move(evidence)) {}
};

}  // namespace rig
