// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/append_file.hpp"

#include "rig/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace rig::evidence {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view doing, int code) {
    throw BenchError(fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(code)),
                     code == ENOSPC ? "free some space, or give another folder with --runs"
                                    : "check the folder and its permissions");
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path) : AppendFile(std::move(path), O_CREAT | O_EXCL) {}

AppendFile AppendFile::reopen(std::filesystem::path path) {
    return AppendFile(std::move(path), 0);
}

AppendFile::AppendFile(std::filesystem::path path, int flags) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0644);
    if (descriptor_ < 0) fail(path_, (flags & O_CREAT) != 0 ? "create" : "open", errno);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(std::exchange(descriptor_, -1));
    throw BenchError(fmt::format("{} is still written to", path_.string()), "wait for the run that does it to end");
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::span<const std::byte> bytes) {
    const auto before = ::lseek(descriptor_, 0, SEEK_END);
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int why = errno;
            // What comes later, when there is room again, must not be glued to half a line.
            if (before >= 0) [[maybe_unused]]
                const int cut = ::ftruncate(descriptor_, before);
            fail(path_, "write to", why);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
    auto temporary = path;
    temporary += ".new";
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    {
        AppendFile(temporary).append(text);
    }
    const int descriptor = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(temporary, "open", errno);
    const int synced = ::fsync(descriptor);
    ::close(descriptor);
    if (synced != 0) fail(temporary, "sync", errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "rename into", errno);
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw PlanError(fmt::format("{} cannot be read", path.string()), "check the path");
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

}  // namespace rig::evidence
