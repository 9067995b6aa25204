// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/folder.hpp"

#include <atomic>
#include <unistd.h>

#include <fmt/format.h>

namespace rig::tests {

Folder::Folder() {
    static std::atomic<unsigned> count{0};
    path_ = std::filesystem::temp_directory_path() / fmt::format("rig-test-{}-{}", ::getpid(), ++count);
    std::filesystem::create_directories(path_);
}

Folder::~Folder() {
    std::filesystem::remove_all(path_);
}

}  // namespace rig::tests
