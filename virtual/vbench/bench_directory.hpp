// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace vbench {

/// The folder of the bench's sockets. At its end a folder that it made is taken away, if it is empty.
class BenchDirectory {
public:
    /// Uses `folder`, which is made when it is missing; without one, a fresh folder for temporary files. Throws
    /// BenchTrouble.
    explicit BenchDirectory(const std::optional<std::filesystem::path>& folder);
    ~BenchDirectory();
    BenchDirectory(const BenchDirectory&) = delete;
    BenchDirectory& operator=(const BenchDirectory&) = delete;

    [[nodiscard]] std::filesystem::path file(const char* name) const { return folder_ / name; }

private:
    enum class Origin { found, made };

    std::filesystem::path folder_;
    Origin origin_ = Origin::made;
};

}  // namespace vbench
