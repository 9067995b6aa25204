// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"

namespace rig::reports {

/// The page's style sheet. Colours are named by their role, once for light and once for dark; a test holds each text
/// colour to a contrast of 4.5 and each colour of a drawing to 3 against what lies under it (WCAG 2.2, AA).
Literal stylesheet();

}  // namespace rig::reports
