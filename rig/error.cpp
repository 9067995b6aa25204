// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/error.hpp"

#include <utility>

namespace rig {

std::string_view name_of(Culprit culprit) {
    switch (culprit) {
        case Culprit::dut:
            return "dut";
        case Culprit::rig:
            return "rig";
        case Culprit::bench:
            return "bench";
        case Culprit::plan:
            return "plan";
    }
    return "rig";
}

int exit_code_of(Culprit culprit) {
    switch (culprit) {
        case Culprit::dut:
            return 1;
        case Culprit::bench:
            return 3;
        case Culprit::plan:
            return 4;
        case Culprit::rig:
            return 5;
    }
    return 5;
}

Error::Error(Culprit culprit, std::string what, std::string hint, std::string evidence)
    : culprit_(culprit), what_(std::move(what)), hint_(std::move(hint)), evidence_(std::move(evidence)) {}

std::string Error::message() const {
    std::string text = what_;
    if (!hint_.empty()) text += " (" + hint_ + ")";
    if (!evidence_.empty()) text += " [" + evidence_ + "]";
    return text;
}

}  // namespace rig
