// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/capture/source.hpp"

#include <filesystem>
#include <memory>

namespace rig::capture {

/// A Value Change Dump: every bit of its wires, registers and integers is a channel; reals, strings and events are not
/// read. An unknown or floating bit keeps the level before it. Its first time is sample 0, its last one the last
/// sample. The file is read once to find its times' grid.
std::unique_ptr<Source> open_vcd(const std::filesystem::path& path);

}  // namespace rig::capture
