// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/html/scale.hpp"
#include "reports/model/scene.hpp"

namespace rig::reports {

/// A logic line as it is drawn: edges where they can be told apart, else an envelope with the line's mean level.
struct LineDrawing {
    Path level;     ///< where the line is known to the pixel
    Path envelope;  ///< filled: the line was at both levels within a pixel
    Path mean;      ///< the mean level within the envelope
};

/// Draws the part of a line that the scale's ends enclose, one drawing unit being a pixel. Grows with the width of the
/// drawing, not with the number of edges.
LineDrawing draw_line(const Line& line, const Scale& x, double y_high, double y_low);

}  // namespace rig::reports
