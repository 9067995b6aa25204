// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.hpp"

#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace rig::cli {
namespace {

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

bool is_capable_terminal(int descriptor) {
    const auto term = variable("TERM");
    return ::isatty(descriptor) != 0 && !term.empty() && term != "dumb";
}

bool shows_colour(int descriptor) {
    return is_capable_terminal(descriptor) && variable("NO_COLOR").empty();
}

}  // namespace rig::cli
