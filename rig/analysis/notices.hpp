// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/analysis/figures.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/lab/station.hpp"

#include <optional>
#include <string>
#include <vector>

namespace rig::analysis {

/// Something about the target that a reader of the figures should know. It changes none of them.
struct Notice {
    std::string about;  ///< a word or two: "consoles", "baud"
    std::string what;   ///< one sentence
};

/// What the files that the target gave before the first trial say of its consoles, its printk and its tracers.
/// `wire_baud` is the rate that the analyzer found on the wire.
std::vector<Notice> find_notices(const evidence::Bundle& bundle, const lab::Station& station,
                                 const std::optional<Figure>& wire_baud);

}  // namespace rig::analysis
