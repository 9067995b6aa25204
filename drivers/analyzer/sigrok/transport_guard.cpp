// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/analyzer/sigrok/transport_guard.hpp"

#include <filesystem>
#include <string>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace drivers {
namespace {

std::set<int> open_sockets() {
    std::set<int> sockets;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int descriptor = std::stoi(entry.path().filename().string());
        struct stat status{};
        if (::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode)) sockets.insert(descriptor);
    }
    return sockets;
}

}  // namespace

TransportGuard::TransportGuard() : before_(open_sockets()) {}

void TransportGuard::opened() {
    for (const int descriptor : open_sockets()) {
        if (!before_.contains(descriptor)) sockets_.push_back(descriptor);
    }
}

void TransportGuard::take_away() const {
    const int silent = ::eventfd(0, EFD_CLOEXEC);
    if (silent < 0) return;
    for (const int descriptor : sockets_) ::dup2(silent, descriptor);
    ::close(silent);
}

}  // namespace drivers
