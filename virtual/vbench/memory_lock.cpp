// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_lock.hpp"

#include <cerrno>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace vbench {

namespace {

bool has_ipc_lock() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (::syscall(SYS_capget, &header, data) != 0) return false;
    return (data[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

}  // namespace

bool may_lock_memory() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return true;
    return has_ipc_lock();
}

std::string lock_memory() {
#ifdef __SANITIZE_ADDRESS__
    return "not asked for: a sanitizer's shadow memory is larger than any host's";
#endif
    if (!may_lock_memory()) return "refused: it wants the capability ipc_lock";
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return memory_is_locked;
    return fmt::format("refused: {}", std::generic_category().message(errno));
}

}  // namespace vbench
