// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/analysis/tick_model.hpp"

#include <algorithm>

namespace rig::analysis {

LostTicks predict_lost_ticks(std::span<const target::IrqOffEvent> sections, TickRate hz, target::TickModel model) {
    LostTicks lost;
    if (model == target::TickModel::catch_up) return lost;
    for (const auto& event : sections) {
        const std::int64_t spanned = event.section.duration.count() * static_cast<std::int64_t>(hz.hz) / 1'000'000'000;
        lost.least.count += std::max<std::int64_t>(spanned - 1, 0);
        lost.most.count += spanned;
    }
    return lost;
}

}  // namespace rig::analysis
