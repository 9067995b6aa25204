// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/line_reader.hpp"

#include "rig/error.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace rig::capture {

LineReader::LineReader(std::filesystem::path path, std::function<void(double)> progress)
    : blocks_(std::move(path), std::move(progress)), buffer_(block_bytes) {}

std::optional<std::string_view> LineReader::next() {
    std::size_t searched = 0;
    while (true) {
        const char* from = buffer_.data() + begin_ + searched;
        const std::size_t left = end_ - begin_ - searched;
        if (const void* found = left == 0 ? nullptr : std::memchr(from, '\n', left); found != nullptr)
            return take(searched + static_cast<std::size_t>(static_cast<const char*>(found) - from), 1);
        searched = end_ - begin_;
        if (fill()) continue;
        if (searched == 0) return std::nullopt;
        return take(searched, 0);
    }
}

std::string_view LineReader::take(std::size_t length, std::size_t skipped) {
    line_ = std::string_view(buffer_.data() + begin_, length);
    begin_ += length + skipped;
    ++number_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return line_;
}

bool LineReader::fill() {
    if (end_ - begin_ == buffer_.size()) {
        ++number_;
        fail("is longer than 1 MiB", "a capture in text has short lines; look whether the file is of another format");
    }
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t got = blocks_.read(std::as_writable_bytes(std::span(buffer_).subspan(end_)));
    end_ += got;
    return got > 0;
}

void LineReader::fail(const std::string& what, const std::string& hint) const {
    throw PlanError(fmt::format("{}:{}: {}", path().string(), number_, what), hint);
}

void LineReader::fail_at(std::string_view part, const std::string& what, const std::string& hint) const {
    const auto column = part.data() - line_.data() + 1;
    throw PlanError(fmt::format("{}:{}:{}: {}", path().string(), number_, column, what), hint);
}

}  // namespace rig::capture
