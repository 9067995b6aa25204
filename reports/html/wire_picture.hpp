// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/scene.hpp"

#include <string>

namespace rig::reports {

/// The stretches of a trial that are drawn.
enum class Stretch { whole_record, first_frames, last_frames };

/// Draws a stretch of a trial on one time axis: decoded text, tx, the IRQ-off sections, the marker and the ticks. Time
/// zero is the edge of the first start bit. Draws no more than the width of the page can show, however long the record.
void draw_scene(Writer& page, const Scene& scene, Stretch stretch);

/// How far the end of the longest section lies behind the last stop bit, in seconds; negative when interrupts came back
/// before it. None when there is no section.
std::optional<double> end_distance(const Scene& scene);

}  // namespace rig::reports
