// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/sim_analyzer.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace rig::sim {
namespace {

constexpr unsigned channel_count = 8;
constexpr unsigned tx_channel = 0;
constexpr unsigned rx_channel = 1;
constexpr unsigned marker_channel = 2;
constexpr unsigned heartbeat_channel = 3;
constexpr std::uint64_t heartbeat_hz = 1000;

std::string channel_name(unsigned channel) {
    return fmt::format("D{}", channel);
}

/// "D3" → 3.
std::optional<unsigned> channel_of(std::string_view name) {
    for (unsigned channel = 0; channel < channel_count; ++channel) {
        if (name == channel_name(channel)) return channel;
    }
    return std::nullopt;
}

}  // namespace

/// A capture that runs: delivers a block every `analyzer_block` of virtual time.
class SimCapture final : public device::Capture {
public:
    SimCapture(SimAnalyzer& analyzer, const device::CaptureRequest& request, const CaptureTruth& truth,
               Waveform waveform, device::CaptureSink& sink)
        : analyzer_(&analyzer), clock_(truth.clock), waveform_(std::move(waveform)), sink_(&sink), limit_(truth.limit) {
        for (const auto& [role, channel] : request.channels) layout_.bits[role] = channel_of(channel).value();
        const auto& faults = *analyzer.faults_;
        if (const auto close = faults.in_capture(FaultKind::analyzer_close, truth.number))
            limit_ = std::min(limit_, close->at.value_or(0));
        lost_ = faults.in_capture(FaultKind::analyzer_lose_block, truth.number);
        never_ends_ = faults.in_capture(FaultKind::analyzer_no_end, truth.number).has_value();
        end_.started = analyzer.clock_->now();
        await_block();
    }
    SimCapture(const SimCapture&) = delete;
    SimCapture& operator=(const SimCapture&) = delete;
    ~SimCapture() override { stop(); }

    [[nodiscard]] device::SampleLayout layout() const override { return layout_; }
    [[nodiscard]] std::uint64_t received() const override { return end_.samples; }

    device::awaitable<void> reach(std::uint64_t samples, device::Deadline deadline) override {
        while (running_ && end_.samples < samples) {
            const bool in_time = co_await progress_.wait(*analyzer_->clock_, deadline.until);
            if (!in_time) co_return;
        }
    }

    device::awaitable<device::CaptureEnd> finish(device::Deadline deadline) override {
        while (running_) {
            const bool in_time = co_await progress_.wait(*analyzer_->clock_, deadline.until);
            if (in_time) continue;
            end_.error =
                end_.samples < limit_
                    ? fmt::format("{}: only {} of {} samples had come", deadline.what, end_.samples, limit_)
                    : fmt::format("{}: all {} samples had come, the end packet had not", deadline.what, limit_);
            end_.ended = analyzer_->clock_->now();
            stop();
        }
        co_return end_;
    }

private:
    /// The sample of the waveform that is delivered as sample `number`.
    [[nodiscard]] std::uint64_t source_of(std::uint64_t number) const {
        return lost_ && number >= lost_->at.value_or(0) ? number + lost_->samples.value_or(0) : number;
    }

    void await_block() {
        const auto last = limit_ == 0 ? clock_.start() : clock_.time_of(source_of(limit_ - 1));
        const auto block =
            std::max(true_of(analyzer_->clock_->now()), clock_.start()) + analyzer_->parameters_->analyzer_block;
        next_ = analyzer_->clock_->at(host_at(std::min(last, block)), [this] { deliver(); });
    }

    /// How many of the samples to deliver have been taken by now.
    [[nodiscard]] std::uint64_t available() const {
        const auto taken = clock_.taken_by(true_of(analyzer_->clock_->now()));
        if (!lost_ || taken <= lost_->at.value_or(0)) return std::min(taken, limit_);
        return std::min(std::max(lost_->at.value_or(0), taken - std::min(taken, lost_->samples.value_or(0))), limit_);
    }

    void deliver() {
        const auto now = analyzer_->clock_->now();
        analyzer_->lines_.settle(true_of(now));
        fill_to(available());
        if (end_.samples == limit_) {
            if (never_ends_) return;
            end_.end_packet = true;
            end_.ended = now;
            stop();
        } else {
            await_block();
        }
        progress_.notify();
    }

    void fill_to(std::uint64_t available) {
        while (end_.samples < available) {
            const bool gap_ahead = lost_ && !skipped_;
            const auto gap = gap_ahead ? lost_->at.value_or(0) : available;
            if (gap_ahead && end_.samples == gap) {
                waveform_.skip(lost_->samples.value_or(0));
                skipped_ = true;
            } else {
                emit(std::min(available, gap) - end_.samples);
            }
        }
    }

    void emit(std::uint64_t samples) {
        std::vector<std::byte> block(samples);
        waveform_.fill(block);
        if (!end_.first) end_.first = analyzer_->clock_->now();
        end_.samples += samples;
        analyzer_->samples_delivered_ += samples;
        sink_->samples(block);
    }

    void stop() {
        next_.call_off();
        if (std::exchange(running_, false)) analyzer_->capture_ended();
    }

    SimAnalyzer* analyzer_;
    SampleClock clock_;
    Waveform waveform_;
    device::CaptureSink* sink_;
    std::uint64_t limit_;
    std::optional<Fault> lost_;
    bool never_ends_ = false;
    bool skipped_ = false;
    bool running_ = true;
    device::SampleLayout layout_;
    device::CaptureEnd end_;
    device::Signal progress_;
    Event next_;
};

SimAnalyzer::SimAnalyzer(SimClock& clock, const SimParameters& parameters, const FaultBoard& faults, Transmitter& uart,
                         ProbedLines lines)
    : clock_(&clock), parameters_(&parameters), faults_(&faults), uart_(&uart), lines_(std::move(lines)) {}

device::awaitable<device::AnalyzerIdentity> SimAnalyzer::open(device::Deadline) {
    if (faults_->holds(FaultKind::analyzer_absent))
        throw BenchError("the analyzer sim is missing", "the fault analyzer-absent is in force");
    device::AnalyzerIdentity identity{
        .driver = "sim", .vendor = "rig", .model = "virtual time", .version = "1", .library = "rig", .channels = {}};
    for (unsigned channel = 0; channel < channel_count; ++channel) identity.channels.push_back(channel_name(channel));
    co_return identity;
}

device::awaitable<std::unique_ptr<device::Capture>> SimAnalyzer::start(device::CaptureRequest request,
                                                                       device::CaptureSink& sink, device::Deadline) {
    check(request);
    const auto number = captures_.size() + 1;
    auto error = RateError::of_ppm(parameters_->analyzer_ppm);
    if (const auto off = faults_->in_capture(FaultKind::analyzer_off_rate, number))
        error.ppb += off->ppm.value_or(0) * 1000;
    const auto first = true_of(clock_->now()) + parameters_->analyzer_start;
    captures_.push_back({number, SampleClock(first, request.rate, error), request.samples});
    uart_->capture_started(number, first);
    for (auto* const line : {&lines_.tx, &lines_.rx, &lines_.marker}) line->forget_before(first);
    busy_ = true;
    co_return std::make_unique<SimCapture>(*this, request, captures_.back(), waveform_of(request, captures_.back()),
                                           sink);
}

void SimAnalyzer::check(const device::CaptureRequest& request) const {
    if (faults_->holds(FaultKind::analyzer_absent))
        throw BenchError("the analyzer sim is missing", "the fault analyzer-absent is in force");
    if (busy_) throw BenchError("the analyzer sim is busy", "a capture is still running");
    if (request.rate.hz == 0 || request.rate > parameters_->analyzer_rate_limit)
        throw PlanError(fmt::format("the analyzer sim has no sample rate of {} Hz", request.rate.hz),
                        fmt::format("1 Hz to {} Hz", parameters_->analyzer_rate_limit.hz));
    for (const auto& [role, channel] : request.channels) {
        if (!channel_of(channel))
            throw PlanError(fmt::format("the analyzer sim has no channel '{}' (asked for as {})", channel, role),
                            fmt::format("{} to {}", channel_name(0), channel_name(channel_count - 1)));
    }
}

Waveform SimAnalyzer::waveform_of(const device::CaptureRequest& request, const CaptureTruth& capture) const {
    const std::map<unsigned, std::pair<std::string_view, const LevelTrace*>> wired{
        {tx_channel, {"tx", &lines_.tx}},
        {rx_channel, {"rx", &lines_.rx}},
        {marker_channel, {"marker", &lines_.marker}}};
    std::vector<Probe> probes;
    std::vector<unsigned> in_the_air;
    std::vector<unsigned> heartbeats;
    for (const auto& [role, name] : request.channels) {
        const auto channel = channel_of(name).value();
        if (channel == heartbeat_channel) {
            if (parameters_->heartbeat == Presence::present && !faults_->unplugged("heartbeat", capture.number))
                heartbeats.push_back(channel);
            continue;
        }
        const auto found = wired.find(channel);
        if (found == wired.end()) continue;
        const auto& [line, trace] = found->second;
        if (!faults_->unplugged(line, capture.number)) {
            probes.push_back({trace, channel});
        } else if (line != "marker") {
            in_the_air.push_back(channel);  // pulled up by the analyzer
        }
    }
    Waveform waveform(capture.clock, std::move(probes));
    for (const auto channel : heartbeats) waveform.add_heartbeat(channel, heartbeat_hz);
    for (const auto channel : in_the_air) waveform.add_high(channel);
    if (const auto glitch = faults_->in_capture(FaultKind::probe_glitch, capture.number))
        waveform.add_glitch(tx_channel, glitch->at.value_or(0), glitch->samples.value_or(0));
    return waveform;
}

void SimAnalyzer::capture_ended() {
    busy_ = false;
    uart_->capture_ended();
}

}  // namespace rig::sim
