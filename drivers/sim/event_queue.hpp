// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/device/clock.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace rig::sim {

/// What is due when, in order of time and, at one instant, in the order of asking. Items due at `host_time::max()` wait
/// for ever and end by being called off. One thread.
class EventQueue {
public:
    enum class Fate { due, called_off };
    using Action = std::move_only_function<void(Fate)>;

    struct Key {
        host_time at;
        std::uint64_t sequence = 0;
        auto operator<=>(const Key&) const = default;
    };

    [[nodiscard]] host_time now() const { return now_; }

    Key add(host_time at, Action action);
    /// Takes the item out and tells it that it is called off; nothing when it has gone already.
    void call_off(Key key);
    /// Takes the item out without a word; nothing when it has gone already.
    void forget(Key key);
    /// When the earliest item is due that does not wait for ever.
    [[nodiscard]] std::optional<host_time> next() const;
    /// Moves the time to the earliest item and runs it; false when none is left that does not wait for ever.
    bool run_next();
    [[nodiscard]] bool empty() const { return items_.empty(); }
    /// Destroys every item.
    void clear();

private:
    [[nodiscard]] std::optional<Action> take(Key key);

    host_time now_{};
    std::uint64_t asked_ = 0;
    std::map<Key, Action> items_;
};

}  // namespace rig::sim
