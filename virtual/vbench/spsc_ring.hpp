// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace vbench {

/// A queue between one thread that pushes and one that pops, without locks: the real-time pacer must never wait for a
/// thread that the scheduler has put aside. `capacity` is a power of two.
template <typename T, std::size_t capacity>
class SpscRing {
    static_assert((capacity & (capacity - 1)) == 0);

public:
    /// Takes the value over; false, and the value untouched, when the ring is full.
    [[nodiscard]] bool push(T&& value) {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - head_.load(std::memory_order_acquire) == capacity) return false;
        slots_[tail & (capacity - 1)] = std::move(value);
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

    [[nodiscard]] std::optional<T> pop() {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
        std::optional<T> value(std::move(slots_[head & (capacity - 1)]));
        head_.store(head + 1, std::memory_order_release);
        return value;
    }

private:
    std::unique_ptr<T[]> slots_ = std::make_unique<T[]>(capacity);
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace vbench
