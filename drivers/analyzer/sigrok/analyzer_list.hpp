// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace drivers {

/// A logic analyzer that libsigrok finds without being told where: on USB.
struct FoundAnalyzer {
    std::string driver;  ///< what a lab file's `sigrok:` names
    std::string vendor;
    std::string model;
    std::string version;
    std::vector<std::string> channels;
};

/// Scans with every driver of libsigrok that is a logic analyzer and needs no address. Analyzers behind an address
/// (`beaglelogic:conn=…`, `ols:conn=…`) are found by name only.
std::vector<FoundAnalyzer> list_analyzers();

}  // namespace drivers
