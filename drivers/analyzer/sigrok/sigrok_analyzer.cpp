// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/analyzer/sigrok/sigrok_analyzer.hpp"

#include "drivers/analyzer/sigrok/driver_string.hpp"
#include "drivers/analyzer/sigrok/transport_guard.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <libsigrokcxx/libsigrokcxx.hpp>

namespace drivers {
namespace {

using namespace std::chrono_literals;
using namespace rig::device;
using rig::BenchError;
using rig::host_time;
using rig::PlanError;

/// How long a driver may take to come back after its end packet, or after it was told to stop.
constexpr auto return_time = 1s;

/// What one capture has given so far. Touched on the strand only; the worker posts to it.
struct CaptureState {
    CaptureSink* sink = nullptr;  ///< null once the capture was finished or given up
    SampleLayout layout;
    bool has_layout = false;
    bool returned = false;  ///< the driver's thread is free again
    std::exception_ptr failed;
    std::exception_ptr refused;  ///< what the sink threw; it gets no more samples then
    CaptureEnd end;
    std::uint64_t bytes = 0;
    Signal changed;

    /// Runs as a handler of its own, where nobody could catch what a full disk throws: the capture's owner is told.
    void deliver(std::span<const std::byte> block) {
        if (sink == nullptr || refused) return;
        try {
            sink->samples(block);
        } catch (const rig::Error&) {
            refused = std::current_exception();
        }
    }
};

}  // namespace

/// libsigrok on its thread. Tasks run one after another; what they find is posted to the strand.
class SigrokAnalyzer::Worker : public std::enable_shared_from_this<SigrokAnalyzer::Worker> {
public:
    Worker(boost::asio::any_io_executor executor, Clock& clock) : executor_(std::move(executor)), clock_(clock) {}

    void launch() {
        // Detached, with a share of this object: a driver that never comes back must not hold up the end of a run.
        std::thread([self = shared_from_this()] { self->loop(); }).detach();
    }

    void submit(std::function<void()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        wake_.notify_one();
    }

    void leave() {
        submit([this] { leaving_ = true; });
    }

    /// Runs on the strand, later.
    void post(std::function<void()> done) { boost::asio::post(executor_, std::move(done)); }

    [[nodiscard]] host_time now() const { return clock_.now(); }

    // The rest is for tasks, on the worker's thread.
    AnalyzerIdentity find(const DriverString& driver);
    void capture(const CaptureRequest& request, const std::shared_ptr<CaptureState>& state);

    /// From any thread: asks the running session to stop, or takes its transport away.
    void stop_session();
    void take_transport();

private:
    void loop();
    void configure(const CaptureRequest& request);
    void choose_channels(const CaptureRequest& request, const std::shared_ptr<CaptureState>& state);
    void on_packet(const std::shared_ptr<sigrok::Packet>& packet, const std::shared_ptr<CaptureState>& state);
    void run_session(const CaptureRequest& request, const std::shared_ptr<CaptureState>& state);
    std::string words();

    boost::asio::any_io_executor executor_;
    Clock& clock_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    bool leaving_ = false;

    std::shared_ptr<sigrok::Context> context_;
    std::shared_ptr<sigrok::HardwareDevice> device_;

    std::mutex running_mutex_;
    std::shared_ptr<sigrok::Session> session_;
    std::optional<TransportGuard> transport_;
    std::string words_;  ///< libsigrok's warnings and errors since the last capture began
};

void SigrokAnalyzer::Worker::loop() {
    // A driver that writes to a closed socket must not end rig; sends of libsigrok carry no MSG_NOSIGNAL.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    while (!leaving_) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return !tasks_.empty(); });
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
    device_.reset();
    context_.reset();
}

std::string SigrokAnalyzer::Worker::words() {
    const std::lock_guard lock(running_mutex_);
    return std::exchange(words_, {});
}

AnalyzerIdentity SigrokAnalyzer::Worker::find(const DriverString& driver) {
    context_ = sigrok::Context::create();
    context_->set_log_level(sigrok::LogLevel::WARN);
    context_->set_log_callback([this](const sigrok::LogLevel*, std::string message) {
        const std::lock_guard lock(running_mutex_);
        if (words_.size() < 1000) words_ += (words_.empty() ? "" : "; ") + message;
    });
    const auto drivers = context_->drivers();
    const auto found = drivers.find(driver.name);
    if (found == drivers.end())
        throw PlanError(fmt::format("libsigrok {} has no driver '{}'", sigrok::Context::package_version(), driver.name),
                        "sigrok-cli --list-supported lists them");
    std::map<const sigrok::ConfigKey*, Glib::VariantBase> options;
    for (const auto& [name, value] : driver.options) {
        try {
            const auto* key = sigrok::ConfigKey::get_by_identifier(name);
            options[key] = key->parse_string(value);
        } catch (const sigrok::Error&) {
            throw PlanError(fmt::format("analyzer driver option '{}={}' is not known to libsigrok", name, value),
                            "conn=… is the usual one");
        }
    }
    const auto devices = found->second->scan(options);
    if (devices.empty())
        throw BenchError(fmt::format("no analyzer answers to the driver '{}'{}", driver.name,
                                     [&] {
                                         const auto said = words();
                                         return said.empty() ? std::string() : ": " + said;
                                     }()),
                         "is it plugged in, powered, and not in use by another program?");
    device_ = devices.front();
    AnalyzerIdentity identity{driver.name,
                              device_->vendor(),
                              device_->model(),
                              device_->version(),
                              "libsigrok " + sigrok::Context::package_version(),
                              {}};
    for (const auto& channel : device_->channels()) identity.channels.push_back(channel->name());
    return identity;
}

void SigrokAnalyzer::Worker::choose_channels(const CaptureRequest& request,
                                             const std::shared_ptr<CaptureState>& state) {
    const auto channels = device_->channels();
    for (const auto& channel : channels) {
        const bool used = std::any_of(request.channels.begin(), request.channels.end(),
                                      [&](const auto& wanted) { return wanted.second == channel->name(); });
        channel->set_enabled(used);
    }
    SampleLayout layout;
    for (const auto& [role, name] : request.channels) {
        const auto channel =
            std::find_if(channels.begin(), channels.end(), [&](const auto& c) { return c->name() == name; });
        if (channel == channels.end()) {
            std::vector<std::string> names;
            for (const auto& one : channels) names.push_back(one->name());
            throw PlanError(fmt::format("the analyzer has no channel '{}' for {}", name, role),
                            fmt::format("it has {}", fmt::join(names, ", ")));
        }
        layout.bits[role] = (*channel)->index();
    }
    post([state, layout] { state->layout.bits = layout.bits; });
}

void SigrokAnalyzer::Worker::configure(const CaptureRequest& request) {
    const auto set = [this](const sigrok::ConfigKey* key, std::uint64_t value, std::string_view what) {
        try {
            device_->config_set(key, Glib::Variant<guint64>::create(value));
        } catch (const sigrok::Error& error) {
            throw PlanError(fmt::format("the analyzer takes no {} of {}: {}", what, value, error.what()),
                            "choose another in the lab file");
        }
    };
    set(sigrok::ConfigKey::SAMPLERATE, request.rate.hz, "sample rate");
    set(sigrok::ConfigKey::LIMIT_SAMPLES, request.samples, "sample limit");
    const auto rate =
        Glib::VariantBase::cast_dynamic<Glib::Variant<guint64>>(device_->config_get(sigrok::ConfigKey::SAMPLERATE))
            .get();
    if (rate != request.rate.hz)
        throw PlanError(fmt::format("the analyzer was asked for {} Hz and samples at {} Hz", request.rate.hz, rate),
                        "set that rate in the lab file");
}

void SigrokAnalyzer::Worker::on_packet(const std::shared_ptr<sigrok::Packet>& packet,
                                       const std::shared_ptr<CaptureState>& state) {
    const auto at = now();
    if (packet->type() == sigrok::PacketType::END) {
        post([state, at] {
            state->end.end_packet = true;
            state->end.ended = at;
            state->changed.notify();
        });
        return;
    }
    if (packet->type() != sigrok::PacketType::LOGIC) return;
    const auto logic = std::dynamic_pointer_cast<sigrok::Logic>(packet->payload());
    const auto* data = static_cast<const std::byte*>(logic->data_pointer());
    std::vector<std::byte> block(data, data + logic->data_length());
    post([state, at, unitsize = logic->unit_size(), block = std::move(block)] {
        state->layout.unitsize = unitsize;
        state->has_layout = true;
        if (!state->end.first) state->end.first = at;
        state->bytes += block.size();
        state->end.samples = state->bytes / unitsize;
        state->deliver(block);
        state->changed.notify();
    });
}

void SigrokAnalyzer::Worker::run_session(const CaptureRequest& request, const std::shared_ptr<CaptureState>& state) {
    TransportGuard transport;
    device_->open();
    transport.opened();
    auto session = context_->create_session();
    session->add_device(device_);
    choose_channels(request, state);
    configure(request);
    session->add_datafeed_callback(
        [this, state](const std::shared_ptr<sigrok::Device>&, const std::shared_ptr<sigrok::Packet>& packet) {
            on_packet(packet, state);
        });
    {
        const std::lock_guard lock(running_mutex_);
        session_ = session;
        transport_ = std::move(transport);
    }
    post([state, at = now()] { state->end.started = at; });
    session->start();
    session->run();
    session->remove_datafeed_callbacks();
    session->remove_devices();
}

void SigrokAnalyzer::Worker::capture(const CaptureRequest& request, const std::shared_ptr<CaptureState>& state) {
    std::exception_ptr failed;
    words();
    try {
        run_session(request, state);
    } catch (const rig::Error&) {
        failed = std::current_exception();
    } catch (const std::exception& error) {
        failed = std::make_exception_ptr(
            BenchError(fmt::format("the analyzer cannot capture: {}: {}", error.what(), words()),
                       "is it in use by another program?"));
    }
    {
        const std::lock_guard lock(running_mutex_);
        session_.reset();
        transport_.reset();
    }
    try {
        device_->close();
    } catch (const sigrok::Error&) {
        // It was not open, or its transport was taken away: either way there is nothing left to close.
        failed = failed ? failed : nullptr;
    }
    post([state, failed, said = words(), at = now()] {
        state->failed = failed;
        if (!state->end.end_packet) state->end.ended = at;
        if (state->end.error.empty()) state->end.error = said;
        state->returned = true;
        state->changed.notify();
    });
}

void SigrokAnalyzer::Worker::stop_session() {
    const std::lock_guard lock(running_mutex_);
    if (!session_) return;
    try {
        session_->stop();
    } catch (const sigrok::Error&) {
        return;  // it has stopped by itself meanwhile
    }
}

void SigrokAnalyzer::Worker::take_transport() {
    const std::lock_guard lock(running_mutex_);
    if (transport_) transport_->take_away();
}

namespace {

/// What a capture needs of the worker, so that the capture does not know its class.
struct Watchdog {
    std::function<void()> stop;
    std::function<void()> take_transport;
};

class SigrokCapture final : public Capture {
public:
    SigrokCapture(Clock& clock, std::shared_ptr<CaptureState> state, Watchdog watchdog)
        : clock_(clock), state_(std::move(state)), watchdog_(std::move(watchdog)) {}
    SigrokCapture(const SigrokCapture&) = delete;
    SigrokCapture& operator=(const SigrokCapture&) = delete;
    ~SigrokCapture() override {
        state_->sink = nullptr;
        if (!state_->returned) watchdog_.stop();
    }

    [[nodiscard]] SampleLayout layout() const override { return state_->layout; }
    [[nodiscard]] std::uint64_t received() const override { return state_->end.samples; }

    awaitable<void> reach(std::uint64_t samples, Deadline deadline) override {
        const CaptureState& state = *state_;
        bool in_time = true;
        while (in_time && state.end.samples < samples && !state.returned && !state.end.end_packet && !state.refused)
            in_time = co_await state_->changed.wait(clock_, deadline.until);
        if (state.refused) std::rethrow_exception(state.refused);
    }

    awaitable<CaptureEnd> finish(Deadline deadline) override {
        const CaptureState& state = *state_;
        bool in_time = true;
        while (in_time && !state.returned && !state.end.end_packet)
            in_time = co_await state_->changed.wait(clock_, deadline.until);
        if (!state.end.end_packet && !state.returned) {
            watchdog_.stop();
            note("the driver was stopped by force: no end packet in time");
        }
        co_await free_the_thread();
        state_->sink = nullptr;
        if (state.refused) std::rethrow_exception(state.refused);
        if (state.failed) std::rethrow_exception(state.failed);
        co_return state.end;
    }

private:
    /// After its end a driver may still spin on a socket that its peer has closed.
    awaitable<void> free_the_thread() {
        const bool came_back = co_await returns();
        if (came_back) co_return;
        watchdog_.take_transport();
        note("the driver did not come back after its end: its connection was taken away");
        const bool freed = co_await returns();
        if (freed) co_return;
        throw BenchError("the analyzer's driver does not come back: its thread was given up",
                         "unplug and replug the analyzer, then run again");
    }

    awaitable<bool> returns() {
        const auto until = clock_.now() + return_time;
        bool in_time = true;
        while (in_time && !state_->returned) in_time = co_await state_->changed.wait(clock_, until);
        co_return state_->returned;
    }

    void note(std::string_view what) {
        state_->end.error += (state_->end.error.empty() ? "" : "; ") + std::string(what);
    }

    Clock& clock_;
    std::shared_ptr<CaptureState> state_;
    Watchdog watchdog_;
};

/// The answer to a question that the worker was asked.
template <class T>
struct Answer {
    std::optional<T> value;
    std::exception_ptr failed;
    Signal came;
};

}  // namespace

SigrokAnalyzer::SigrokAnalyzer(boost::asio::any_io_executor executor, Clock& clock, std::string driver)
    : executor_(std::move(executor)), clock_(clock), driver_(std::move(driver)) {}

SigrokAnalyzer::~SigrokAnalyzer() {
    if (worker_) worker_->leave();
}

awaitable<AnalyzerIdentity> SigrokAnalyzer::open(Deadline deadline) {
    const auto driver = DriverString::parse(driver_);
    worker_ = std::make_shared<Worker>(executor_, clock_);
    worker_->launch();
    const auto answer = std::make_shared<Answer<AnalyzerIdentity>>();
    worker_->submit([worker = worker_, driver, answer] {
        std::optional<AnalyzerIdentity> identity;
        std::exception_ptr failed;
        try {
            identity = worker->find(driver);
        } catch (const rig::Error&) {
            failed = std::current_exception();
        } catch (const std::exception& error) {
            failed = std::make_exception_ptr(BenchError(fmt::format("the analyzer cannot be found: {}", error.what())));
        }
        worker->post([answer, identity, failed] {
            answer->value = identity;
            answer->failed = failed;
            answer->came.notify();
        });
    });
    while (!answer->value && !answer->failed) {
        const bool woke = co_await answer->came.wait(clock_, deadline.until);
        if (!woke)
            throw BenchError(
                fmt::format("{}: the driver '{}' does not come back from its scan", deadline.what, driver.name),
                "is the instrument hung? unplug and replug it");
    }
    if (answer->failed) std::rethrow_exception(answer->failed);
    co_return *answer->value;
}

awaitable<std::unique_ptr<Capture>> SigrokAnalyzer::start(CaptureRequest request, CaptureSink& sink,
                                                          Deadline deadline) {
    const auto state = std::make_shared<CaptureState>();
    state->sink = &sink;
    state->end.started = clock_.now();
    worker_->submit([worker = worker_, request, state] { worker->capture(request, state); });
    auto capture = std::make_unique<SigrokCapture>(
        clock_, state,
        Watchdog{[worker = worker_] { worker->stop_session(); }, [worker = worker_] { worker->take_transport(); }});
    while (!state->has_layout && !state->returned) {
        const bool woke = co_await state->changed.wait(clock_, deadline.until);
        if (!woke) break;
    }
    if (state->failed) std::rethrow_exception(state->failed);
    co_return capture;
}

}  // namespace drivers
