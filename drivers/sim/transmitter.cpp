// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/transmitter.hpp"

#include <algorithm>
#include <cmath>

namespace rig::sim {

Transmitter::Transmitter(UartLine& line, const FaultBoard& faults, const SimParameters& parameters)
    : line_(&line), faults_(&faults), parameters_(&parameters), random_(parameters.seed) {}

std::optional<Burst> Transmitter::print_polled(std::string_view bytes, true_time at) {
    const unsigned fifo = parameters_->fifo;
    const std::string queued = line_->take_back(at, parameters_->uart_fifo);
    bytes_in_capture_ -= std::min<std::uint64_t>(bytes_in_capture_, queued.size());

    // The end of each frame that the record's last byte may have to wait for, oldest first.
    std::vector<true_time> ends;
    for (const auto& frame : line_->in_flight()) ends.push_back(frame.end);
    std::optional<Burst> burst;
    for (const char c : bytes) {
        const auto frame = put(static_cast<std::uint8_t>(c), at);
        if (!frame) return std::nullopt;
        if (!burst) burst = Burst{frame->start, frame->end, at};
        burst->end = frame->end;
        ends.push_back(frame->end);
    }
    if (!burst) return Burst{at, at, at};
    // The FIFO has room for the last byte once no more than `fifo` frames, itself included, are unsent.
    if (ends.size() > fifo) burst->in_fifo = std::max(at, ends[ends.size() - 1 - fifo]);
    print_queued(queued, burst->end);
    return burst;
}

void Transmitter::print_queued(std::string_view bytes, true_time at) {
    for (const char c : bytes) put(static_cast<std::uint8_t>(c), at);
}

void Transmitter::capture_started(std::uint64_t number, true_time start) {
    capture_ = {number, true, start};
    bytes_in_capture_ = static_cast<std::uint64_t>(
        std::ranges::count_if(line_->in_flight(), [start](const SimFrame& frame) { return frame.start >= start; }));
}

void Transmitter::reset(true_time at) {
    line_->cut(at);
    hung_ = false;
}

std::optional<SimFrame> Transmitter::put(std::uint8_t byte, true_time ready) {
    if (hung_) return std::nullopt;
    const auto start = std::max(ready, line_->free_from());
    in_capture_ = count_in_capture(start);
    if (in_capture_ && faults_->at_byte(FaultKind::board_hang, capture_.number, bytes_in_capture_)) {
        hung_ = true;
        return std::nullopt;
    }
    if (in_capture_ && faults_->at_byte(FaultKind::wire_garbage, capture_.number, bytes_in_capture_))
        line_->send(0x00, ready, picoseconds{0}, Fate::garbage);
    note_hold(start);
    return line_->send(byte, ready, lateness(start), fate_here());
}

bool Transmitter::count_in_capture(true_time start) {
    if (!capture_.running || start < capture_.start) return false;
    ++bytes_in_capture_;
    return true;
}

Fate Transmitter::fate_here() const {
    if (!in_capture_) return Fate::received;
    if (faults_->at_byte(FaultKind::console_unplug, capture_.number, bytes_in_capture_)) return Fate::line_breaks_here;
    if (faults_->at_byte(FaultKind::console_lose_byte, capture_.number, bytes_in_capture_)) return Fate::lost;
    return Fate::received;
}

void Transmitter::note_hold(true_time start) {
    if (!in_capture_) return;
    if (const auto held = faults_->at_byte(FaultKind::guest_held, capture_.number, bytes_in_capture_))
        holds_.push_back({start, std::chrono::milliseconds{held->ms.value_or(0)}, start - capture_.start});
}

picoseconds Transmitter::lateness(true_time start) {
    auto late = jitter();
    if (in_capture_) {
        if (const auto stall = faults_->at_byte(FaultKind::pacer_stall, capture_.number, bytes_in_capture_))
            late += std::chrono::milliseconds{stall->ms.value_or(0)};
    }
    if (late > picoseconds{0})
        slips_.push_back({start, late, in_capture_ ? std::optional(start - capture_.start) : std::nullopt});
    return late;
}

picoseconds Transmitter::jitter() {
    if (parameters_->frame_jitter.count() == 0) return picoseconds{0};
    // The sum of twelve uniform numbers is as good as normal here, and the same with every standard library.
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random_() >> 11U) * 0x1p-53;
    return picoseconds{
        std::llround(std::abs(sum) * static_cast<double>(picoseconds{parameters_->frame_jitter}.count()))};
}

}  // namespace rig::sim
