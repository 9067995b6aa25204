// SPDX-License-Identifier: GPL-3.0-or-later
#include "pin_trace_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace vbench {

namespace {

/// Reads per drain: with the buffer below four times the pipe's room, after which the rest of the bench gets its turn.
constexpr int reads_per_drain = 64;
constexpr std::size_t buffer_bytes = 1U << 16;
constexpr std::size_t longest_line = 1024;

/// CLOCK_MONOTONIC minus CLOCK_REALTIME, read between two readings of the one so that a preemption in between shows.
nanoseconds monotonic_minus_realtime() {
    nanoseconds best_gap = nanoseconds::max();
    nanoseconds offset{0};
    for (int attempt = 0; attempt < 3; ++attempt) {
        const Instant before = now();
        const auto realtime = std::chrono::system_clock::now().time_since_epoch();
        const nanoseconds gap = now() - before;
        if (gap >= best_gap) continue;
        best_gap = gap;
        offset = before.time_since_epoch() + gap / 2 - realtime;
    }
    return offset;
}

}  // namespace

void PinTraceReader::drain(const std::function<void(Instant, Level)>& take) {
    std::array<char, buffer_bytes> buffer;
    for (int reads = 0; reads < reads_per_drain; ++reads) {
        const ssize_t size = ::read(fd_, buffer.data(), buffer.size());
        ended_ = size == 0;
        if (size <= 0) return;
        const nanoseconds offset = monotonic_minus_realtime();
        partial_.append(buffer.data(), static_cast<std::size_t>(size));
        std::string_view rest = partial_;
        for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
            const auto event = parse_pin_trace(rest.substr(0, end));
            if (!event) continue;
            const auto level = marker_.apply(*event);
            if (!level || *level == level_) continue;
            level_ = *level;
            take(Instant(nanoseconds(event->realtime) + offset), *level);
        }
        partial_.erase(0, partial_.size() - rest.size());
        if (partial_.size() > longest_line) partial_.clear();
    }
}

}  // namespace vbench
