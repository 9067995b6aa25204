// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/script.hpp"

namespace rig::cli::completion {

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
    return text;
}

}  // namespace rig::cli::completion
