// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/file_blocks.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace rig::capture {

namespace {

constexpr std::size_t shown_chars = 40;

std::uint64_t size_of_regular(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw PlanError(fmt::format("{}: there is no such file", path.string()), "look at its path");
    if (!std::filesystem::is_regular_file(status))
        throw PlanError(fmt::format("{}: is not a file that can be read twice", path.string()),
                        "a capture is a regular file; put what a pipe delivers into one");
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        throw PlanError(fmt::format("{}: its size cannot be told: {}", path.string(), error.message()),
                        "look at its permissions");
    if (size == 0) throw PlanError(fmt::format("{}: is empty", path.string()), "nothing was written; record it again");
    return size;
}

}  // namespace

std::string shown(std::string_view piece) {
    std::string text = "'";
    for (const char c : piece.substr(0, shown_chars))
        text += c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return text + (piece.size() > shown_chars ? "…'" : "'");
}

FileBlocks::FileBlocks(std::filesystem::path path, std::function<void(double)> progress)
    : path_(std::move(path)), progress_(std::move(progress)), size_(size_of_regular(path_)) {
    file_.reset(std::fopen(path_.c_str(), "rb"));
    if (file_ == nullptr)
        throw PlanError(fmt::format("{}: cannot be opened: {}", path_.string(),
                                    std::error_code(errno, std::generic_category()).message()),
                        "look at its permissions");
    // The callers bring a buffer of their own.
    (void)std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

std::size_t FileBlocks::read(std::span<std::byte> into) {
    const std::size_t got = std::fread(into.data(), 1, into.size(), file_.get());
    if (got < into.size() && std::ferror(file_.get()) != 0)
        throw PlanError(fmt::format("{}: cannot be read beyond byte {}", path_.string(), position_ + got),
                        "look at the disk it lies on");
    position_ += got;
    tell_progress();
    return got;
}

void FileBlocks::tell_progress() const {
    if (!progress_) return;
    progress_(std::min(1.0, static_cast<double>(position_) / static_cast<double>(size_)));
}

}  // namespace rig::capture
