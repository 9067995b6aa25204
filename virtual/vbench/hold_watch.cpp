// SPDX-License-Identifier: GPL-3.0-or-later
#include "hold_watch.hpp"

#include "process_threads.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace vbench {

namespace {

/// QEMU's threads begin within its first milliseconds and stay; this is for a guest that makes more of them later.
constexpr std::chrono::milliseconds thread_look_interval{50};

/// How long to sleep while there is no guest.
constexpr std::chrono::milliseconds idle_interval{5};

/// Before the pacer, which spins through most of a burst and would keep the readings back to the burst's end: one
/// reading would then be the sum of all its wakes. A reading costs the pacer less than a bit at 115200 baud.
constexpr int watch_priority = 55;
static_assert(watch_priority > pacer_priority);

/// The second field of a schedstat file: time spent ready and not running, in ns.
std::optional<std::int64_t> waited_in(const UniqueFd& schedstat) {
    std::array<char, 96> text{};
    const ssize_t length = ::pread(schedstat.get(), text.data(), text.size(), 0);
    if (length <= 0) return std::nullopt;
    const char* const end = text.data() + length;
    const char* const blank = std::find(static_cast<const char*>(text.data()), end, ' ');
    if (blank == end) return std::nullopt;
    std::int64_t waited = 0;
    if (std::from_chars(blank + 1, end, waited).ec != std::errc{}) return std::nullopt;
    return waited;
}

}  // namespace

void HoldReader::look_for_threads() {
    for_each_thread(pid_, [this](int thread, const std::filesystem::path& task) {
        if (std::ranges::find(threads_, thread, &Watched::thread) != threads_.end()) return;
        UniqueFd file(::open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC));
        if (file) threads_.push_back({.thread = thread, .schedstat = std::move(file)});
    });
}

nanoseconds HoldReader::read() {
    std::int64_t longest = 0;
    for (Watched& watched : threads_) {
        const auto waited = waited_in(watched.schedstat);
        if (!waited) {
            watched.thread = 0;
            continue;
        }
        if (watched.waited) longest = std::max(longest, *waited - *watched.waited);
        watched.waited = waited;
    }
    std::erase_if(threads_, [](const Watched& watched) { return watched.thread == 0; });
    return nanoseconds(longest);
}

HoldWatch::HoldWatch(RealtimeWish wish, std::optional<cpu_set_t> cpus)
    : wish_(wish), cpus_(cpus), thread_([this] { run(); }) {}

HoldWatch::~HoldWatch() {
    stop_.store(true);
    thread_.join();
}

void HoldWatch::run() {
    ::prctl(PR_SET_TIMERSLACK, 1UL);
    if (wish_ == RealtimeWish::automatic) ask_for_realtime(watch_priority, cpus_ ? &*cpus_ : nullptr);
    std::optional<HoldReader> reader;
    pid_t read_from = 0;
    Instant look_at{};
    Instant last = now();
    while (!stop_.load()) {
        if (const pid_t pid = pid_.load(); pid != read_from || !reader) {
            read_from = pid;
            reader.emplace(pid);
            look_at = Instant{};
        }
        if (read_from == 0) {
            std::this_thread::sleep_for(idle_interval);
            continue;
        }
        if (now() >= look_at) {
            reader->look_for_threads();
            look_at = now() + thread_look_interval;
        }
        report(reader->read(), std::exchange(last, now()));
        std::this_thread::sleep_for(interval);
    }
}

void HoldWatch::report(nanoseconds length, Instant last) {
    const Instant seen = now();
    if (length >= floor) {
        pending_ = std::max(pending_, length);
        pending_gap_ = std::max(pending_gap_, nanoseconds(seen - last));
    }
    if (pending_ == nanoseconds(0)) return;
    // While nobody takes them the ring may fill up: the longest then waits for room.
    if (!holds_.push({.seen = seen, .length = pending_, .gap = pending_gap_})) {
        pending_gap_ += interval;
        return;
    }
    pending_ = nanoseconds(0);
    pending_gap_ = nanoseconds(0);
}

void HoldWatch::drain(const std::function<void(const Hold&)>& take) {
    while (auto hold = holds_.pop()) take(*hold);
}

}  // namespace vbench
