// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/event_queue.hpp"

#include <algorithm>
#include <utility>

namespace rig::sim {

EventQueue::Key EventQueue::add(host_time at, Action action) {
    const Key key{at, ++asked_};
    items_.emplace(key, std::move(action));
    return key;
}

std::optional<EventQueue::Action> EventQueue::take(Key key) {
    const auto found = items_.find(key);
    if (found == items_.end()) return std::nullopt;
    auto action = std::move(found->second);
    items_.erase(found);
    return action;
}

void EventQueue::call_off(Key key) {
    if (auto action = take(key)) (*action)(Fate::called_off);
}

void EventQueue::forget(Key key) {
    static_cast<void>(take(key));
}

std::optional<host_time> EventQueue::next() const {
    if (items_.empty() || items_.begin()->first.at == host_time::max()) return std::nullopt;
    return items_.begin()->first.at;
}

bool EventQueue::run_next() {
    if (!next()) return false;
    const Key key = items_.begin()->first;
    now_ = std::max(now_, key.at);
    // Out of the queue before it runs: it may add, call off or destroy anything, itself included.
    if (auto action = take(key)) (*action)(Fate::due);
    return true;
}

void EventQueue::clear() {
    // What is destroyed may call other items off: they must be out of the queue by then.
    const auto doomed = std::exchange(items_, {});
}

}  // namespace rig::sim
