// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace vbench {

/// The folder of the bench's sockets. At its end it takes away what it made, and only that.
class BenchDirectory {
public:
    /// Uses `folder`, which is made when it is missing; without one, a fresh folder for temporary files. Throws
    /// BenchTrouble.
    explicit BenchDirectory(const std::optional<std::filesystem::path>& folder);
    ~BenchDirectory();
    BenchDirectory(const BenchDirectory&) = delete;
    BenchDirectory& operator=(const BenchDirectory&) = delete;

    [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_ / name; }

    /// A file in the folder that is to be taken away at the end.
    void owns(const std::filesystem::path& file) { owned_.push_back(file); }

private:
    enum class Origin { found, made };

    std::filesystem::path folder_;
    Origin origin_ = Origin::made;
    std::vector<std::filesystem::path> owned_;
};

}  // namespace vbench
