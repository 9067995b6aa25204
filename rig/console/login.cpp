// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/login.hpp"

#include <algorithm>
#include <array>

namespace rig::console {

std::optional<Question> find_question(std::string_view bytes) {
    auto line = bytes.substr(bytes.find_last_of('\n') + 1);
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (line.ends_with("ogin:")) return Question::name;
    if (line.ends_with("assword:")) return Question::password;
    return std::nullopt;
}

bool finds_refusal(std::string_view bytes, std::size_t from) {
    // util-linux, busybox and shadow say the first, pam_unix behind sudo the last.
    constexpr std::array<std::string_view, 3> refusals{"ogin incorrect", "uthentication failure", "orry, try again"};
    const auto rest = bytes.substr(std::min(from, bytes.size()));
    return std::ranges::any_of(refusals, [rest](std::string_view refusal) { return rest.contains(refusal); });
}

}  // namespace rig::console
