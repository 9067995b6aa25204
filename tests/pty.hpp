// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace rig::tests {

/// Whether pseudo terminals can be opened here: a bare chroot has /dev/ptmx, but no /dev/pts for the other end.
inline bool host_has_ptys() {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return false;
    const char* const name = ::ptsname(master);
    const bool there = name != nullptr && ::access(name, F_OK) == 0;
    ::close(master);
    return there;
}

}  // namespace rig::tests
