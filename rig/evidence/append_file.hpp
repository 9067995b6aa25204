// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace rig::evidence {

/// A file that only grows. Each append has reached the kernel when it returns, so a killed rig loses nothing of it.
class AppendFile {
public:
    /// Creates the file, which must not exist, and locks it while it is open; a BenchError when it cannot.
    explicit AppendFile(std::filesystem::path path);
    /// Opens one that is there, to go on with it; a BenchError when somebody still writes it.
    static AppendFile reopen(std::filesystem::path path);
    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();

    /// Appends all of it, or throws a BenchError ("disk full", …).
    void append(std::span<const std::byte> bytes);
    void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    AppendFile(std::filesystem::path path, int flags);

    std::filesystem::path path_;
    int descriptor_ = -1;
};

/// Writes a whole file under another name, syncs it, and renames it into place; a BenchError when it cannot.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Reads a whole file; a PlanError when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace rig::evidence
