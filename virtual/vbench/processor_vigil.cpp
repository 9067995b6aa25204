// SPDX-License-Identifier: GPL-3.0-or-later
#include "processor_vigil.hpp"

#include <csignal>
#include <sys/prctl.h>

namespace vbench {

namespace {

void become_idle_priority(std::size_t cpu) {
    ::prctl(PR_SET_NAME, "vigil");
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    ::sched_setaffinity(0, sizeof only, &only);
    const sched_param parameters{};
    ::sched_setscheduler(0, SCHED_IDLE, &parameters);
}

}  // namespace

ProcessorVigil::ProcessorVigil(const cpu_set_t& cpus) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &cpus)) continue;
        threads_.emplace_back([this, cpu] {
            become_idle_priority(cpu);
            watch();
        });
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProcessorVigil::~ProcessorVigil() {
    stopped_ = true;
    ++calls_;
    calls_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void ProcessorVigil::watch_until(Instant moment) {
    const bool asleep = until_.exchange(moment.time_since_epoch().count()) < now().time_since_epoch().count();
    if (!asleep) return;
    ++calls_;
    calls_.notify_all();
}

void ProcessorVigil::watch() const {
    unsigned heard = 0;
    while (!stopped_) {
        calls_.wait(heard);
        heard = calls_;
        while (now().time_since_epoch().count() < until_ && !stopped_) {
        }
    }
}

}  // namespace vbench
