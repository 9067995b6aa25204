// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"

#include <string_view>

namespace rig::reports {

/// Writes the document type and the head: title, a policy that allows nothing but this page's one style sheet (by its
/// hash) and images within the page, and the style sheet. The caller has opened `html`.
void write_head(Writer& page, std::string_view title, Literal stylesheet);

/// The policy's source expression for an inline style sheet: 'sha256-…'.
std::string hash_source(std::string_view content);

}  // namespace rig::reports
