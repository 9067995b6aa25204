// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace rig::capture {

/// How much of a file is held at a time.
constexpr std::size_t block_bytes = 1024UL * 1024;

/// What a sentence shows of a piece of a file: quoted, unprintable bytes in hex, and not too long.
std::string shown(std::string_view piece);

/// A file that is read from its beginning to its end in blocks. A PlanError that names it when it
/// cannot be, or is empty.
class FileBlocks {
public:
    /// `progress` is told after each block; it may be empty.
    explicit FileBlocks(std::filesystem::path path, std::function<void(double)> progress = {});

    /// Fills `into` as far as the file goes; 0 at its end.
    std::size_t read(std::span<std::byte> into);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { (void)std::fclose(file); }
    };

    void tell_progress() const;

    std::filesystem::path path_;
    std::function<void(double)> progress_;
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
};

}  // namespace rig::capture
