// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/capture/file_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rig::capture {

/// A text file line by line through one buffer, however long it is. A line longer than 1 MiB is an error.
class LineReader {
public:
    explicit LineReader(std::filesystem::path path, std::function<void(double)> progress = {});

    /// The next line without its end; nothing when there is none. Gone with the next call.
    std::optional<std::string_view> next();

    /// Number of the line that next() gave, from 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] const std::filesystem::path& path() const { return blocks_.path(); }

    /// A PlanError about the line that next() gave.
    [[noreturn]] void fail(const std::string& what, const std::string& hint) const;
    /// The same about a place in it; `part` is a piece of that line.
    [[noreturn]] void fail_at(std::string_view part, const std::string& what, const std::string& hint) const;

private:
    bool fill();
    std::string_view take(std::size_t length, std::size_t skipped);

    FileBlocks blocks_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  // of what is not handed over yet
    std::size_t end_ = 0;
    std::string_view line_;
    std::uint64_t number_ = 0;
};

}  // namespace rig::capture
