// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_directory.hpp"

#include "trouble.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace vbench {

namespace fs = std::filesystem;

namespace {

fs::path fresh_folder() {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    const fs::path parent =
        runtime != nullptr && fs::is_directory(runtime) ? fs::path(runtime) : fs::temp_directory_path();
    std::string name = (parent / "rig-vbench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw BenchTrouble(fmt::format("no folder for the sockets can be made in {}: {}; give --dir", parent.string(),
                                       std::generic_category().message(errno)));
    }
    return name;
}

}  // namespace

BenchDirectory::BenchDirectory(const std::optional<fs::path>& folder) {
    if (!folder) {
        folder_ = fresh_folder();
        return;
    }
    std::error_code error;
    origin_ = fs::create_directory(*folder, error) ? Origin::made : Origin::found;
    if (!fs::is_directory(*folder)) {
        throw BenchTrouble(fmt::format("--dir {} is no folder and cannot be made one: {}", folder->string(),
                                       error ? error.message() : "a file is in the way"));
    }
    folder_ = fs::absolute(*folder);
}

BenchDirectory::~BenchDirectory() {
    std::error_code ignored;
    if (origin_ == Origin::made) fs::remove(folder_, ignored);
}

}  // namespace vbench
