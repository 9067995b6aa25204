// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/uart_line.hpp"

#include <algorithm>

namespace rig::sim {

picoseconds bit_time(Baud baud, RateError error) {
    const wide_int per_second = static_cast<wide_int>(baud.value) * (1'000'000'000 + error.ppb);
    const wide_int second = static_cast<wide_int>(1'000'000'000'000) * 1'000'000'000;
    return picoseconds{static_cast<std::int64_t>((second + per_second / 2) / per_second)};
}

UartLine::UartLine(SimClock& clock, picoseconds bit, std::chrono::nanoseconds latency, Receiver receiver)
    : clock_(&clock), bit_(bit), latency_(latency), receiver_(std::move(receiver)) {}

SimFrame UartLine::send(std::uint8_t value, true_time ready, picoseconds late, Fate fate) {
    const auto start = std::max(free_from_, ready) + late;
    const SimFrame sent{start, start + frame(), value, fate};
    draw(sent);
    ++sent_;
    // A missing stop bit runs into the next start bit; one bit of idle keeps the frames apart.
    free_from_ = fate == Fate::garbage ? sent.end + bit_ : sent.end;
    in_flight_.push_back(sent);
    if (in_flight_.size() == 1) await_next();
    return sent;
}

void UartLine::draw(const SimFrame& frame) {
    const auto level_of = [](bool mark) { return mark ? wire::Level::high : wire::Level::low; };
    trace_.set(wire::Level::low, frame.start);
    for (int i = 0; i < 8; ++i) trace_.set(level_of((frame.value >> i & 1) != 0), frame.start + (i + 1) * bit_);
    trace_.set(level_of(frame.fate != Fate::garbage), frame.start + 9 * bit_);
    trace_.set(wire::Level::high, frame.end);
}

std::string UartLine::take_back(true_time at, unsigned keep) {
    auto first = std::ranges::find_if(in_flight_, [at](const SimFrame& frame) { return frame.end > at; });
    for (unsigned kept = 0; first != in_flight_.end() && (kept < keep || first->start <= at); ++kept) ++first;
    if (first == in_flight_.end()) return {};
    std::string bytes;
    for (auto frame = first; frame != in_flight_.end(); ++frame) bytes += static_cast<char>(frame->value);
    free_from_ = first == in_flight_.begin() ? at : std::prev(first)->end;
    trace_.cut(first->start - picoseconds{1}, wire::Level::high);  // the start bit's own edge goes too
    sent_ -= bytes.size();
    in_flight_.erase(first, in_flight_.end());
    await_next();
    return bytes;
}

void UartLine::cut(true_time at) {
    std::erase_if(in_flight_, [at](const SimFrame& frame) { return frame.end > at; });
    trace_.cut(at, wire::Level::high);
    free_from_ = at;
    await_next();
}

void UartLine::await_next() {
    if (in_flight_.empty()) {
        next_.call_off();
        return;
    }
    next_ = clock_->at(host_at(in_flight_.front().end) + latency_, [this] { deliver(); });
}

void UartLine::deliver() {
    const auto frame = in_flight_.front();
    in_flight_.pop_front();
    await_next();
    receiver_(frame);
}

}  // namespace rig::sim
