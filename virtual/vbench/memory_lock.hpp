// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vbench {

/// Whether memory that a process locks stays locked whatever its size: it has the capability ipc_lock, or no limit.
/// Children inherit either.
bool may_lock_memory();

inline constexpr const char* memory_is_locked = "locked";

/// Keeps all of this process in memory, now and later. A page that the host has dropped is read from its disk again,
/// which takes milliseconds in which nothing runs and no scheduler counts a wait. `memory_is_locked`, or why
/// not.
std::string lock_memory();

}  // namespace vbench
