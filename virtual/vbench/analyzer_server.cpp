// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyzer_server.hpp"

#include "beaglelogic_dialogue.hpp"
#include "trouble.hpp"

#include <algorithm>
#include <array>
#include <netinet/tcp.h>
#include <span>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace vbench {

using asio::ip::tcp;

namespace {

/// How often new samples are sent: seldom enough to cost little, often enough that no client's poll runs dry.
constexpr std::chrono::milliseconds tick{10};

/// Samples made in one piece; bounds the memory of a session and the time that the main thread is away.
constexpr std::uint64_t samples_per_piece = 1U << 18;

/// libsigrok 0.5.2 takes what one receive call gives for whole samples. Loopback's own segments have an odd size, so
/// that a receive could end inside a sample of two bytes; segments of this size cannot (TCP's options take a multiple
/// of 4 of it).
constexpr int segment_bytes = 32'000;
using EvenSegments = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_MAXSEG>;

enum class SampleWidth { one_byte, two_bytes };

}  // namespace

/// One client's connection.
class AnalyzerServer::Session : public std::enable_shared_from_this<Session> {
public:
    Session(AnalyzerServer& server, tcp::socket socket)
        : server_(server), socket_(std::move(socket)), changed_(socket_.get_executor()) {
        boost::system::error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
    }

    static void run(const std::shared_ptr<Session>& session) {
        asio::co_spawn(session->socket_.get_executor(), read_commands(session), asio::detached);
        asio::co_spawn(session->socket_.get_executor(), write_out(session), asio::detached);
    }

    void close() {
        capture_.reset();
        boost::system::error_code ignored;
        socket_.close(ignored);
        changed_.announce();
    }

    [[nodiscard]] std::optional<Picoseconds> sampled_until() const {
        return capture_ ? std::optional(capture_->waveform.sampled_until()) : std::nullopt;
    }

private:
    struct Capture {
        Waveform waveform;
        CapturePlan plan;
        SampleWidth width;
        std::uint64_t made = 0;
    };

    static asio::awaitable<void> read_commands(std::shared_ptr<Session> session) {
        std::array<char, 1024> buffer{};
        while (session->socket_.is_open()) {
            const auto [error, size] = co_await session->socket_.async_read_some(asio::buffer(buffer), to_tuple);
            if (error) break;
            session->obey(session->dialogue_.take({buffer.data(), size}));
        }
        session->close();
    }

    static asio::awaitable<void> write_out(std::shared_ptr<Session> session) {
        while (session->socket_.is_open()) {
            const auto piece = session->next_piece();
            if (piece.empty()) {
                if (session->finished()) break;
                co_await session->changed_.wait(session->capture_ ? session->next_tick_ : Instant::max());
                continue;
            }
            const auto [error, size] =
                co_await asio::async_write(session->socket_, asio::buffer(piece.data(), piece.size()), to_tuple);
            if (error) break;
        }
        session->close();
    }

    void obey(const std::vector<BeagleLogicDialogue::Action>& actions) {
        for (const auto& action : actions) {
            if (const auto* reply = std::get_if<BeagleLogicDialogue::Reply>(&action)) replies_ += reply->text;
            if (std::holds_alternative<BeagleLogicDialogue::Start>(action)) start();
            if (std::holds_alternative<BeagleLogicDialogue::Stop>(action)) capture_.reset();
            if (std::holds_alternative<BeagleLogicDialogue::HangUp>(action)) close();
        }
        changed_.announce();
    }

    void start() {
        next_tick_ = {};
        const auto& settings = dialogue_.settings();
        const Instant moment = now();
        // What happened up to now belongs before the capture.
        server_.hooks_.collect();
        CapturePlan plan = server_.hooks_.begin(moment);
        const Waveform waveform(server_.log_, moment, SampleClock(settings.samplerate), plan.probes,
                                std::move(plan.glitches));
        capture_.emplace(Capture{.waveform = waveform,
                                 .plan = std::move(plan),
                                 .width = settings.sampleunit == 1 ? SampleWidth::one_byte : SampleWidth::two_bytes});
        lose_block();  // One that begins with sample 0.
    }

    /// Replies go first; then samples that are due. Empty when there is nothing to send now. The bytes stay valid until
    /// the next call.
    std::span<const std::byte> next_piece() {
        if (!replies_.empty()) {
            sending_ = std::exchange(replies_, {});
            return std::as_bytes(std::span(sending_));
        }
        return capture_ && !finished() ? samples_due() : std::span<const std::byte>{};
    }

    [[nodiscard]] bool finished() const { return capture_ && capture_->plan.close_at == capture_->made; }

    std::span<const std::byte> samples_due() {
        if (now() < next_tick_) return {};
        server_.hooks_.collect();
        Waveform& waveform = capture_->waveform;
        auto& pause = capture_->plan.pause;
        if (pause && waveform.next() >= pause->at) {
            next_tick_ = now() + pause->length;
            pause.reset();
            return {};
        }
        const Picoseconds horizon = server_.log_.since_epoch(now() - server_.lag_);
        const std::uint64_t due = waveform.taken_by(horizon);
        if (due <= waveform.next()) {
            next_tick_ = now() + tick;
            return {};
        }
        const auto behind = std::chrono::duration_cast<nanoseconds>(horizon - waveform.time_of_next());
        const std::uint64_t count = until_next_incident(std::min(due - waveform.next(), samples_per_piece));
        const auto bytes = make(count);
        capture_->made += count;
        lose_block();
        if (waveform.next() >= due) next_tick_ = now() + tick;
        server_.hooks_.streamed(count, behind);
        return bytes;
    }

    /// Cuts a piece so that it ends where the plan has something happen.
    [[nodiscard]] std::uint64_t until_next_incident(std::uint64_t count) const {
        const auto& plan = capture_->plan;
        if (plan.close_at) count = std::min(count, *plan.close_at - capture_->made);
        if (plan.pause && plan.pause->at > capture_->waveform.next())
            count = std::min(count, plan.pause->at - capture_->waveform.next());
        if (!plan.lost.empty() && plan.lost.front().at >= capture_->waveform.next()) {
            const std::uint64_t before_loss = plan.lost.front().at - capture_->waveform.next();
            if (before_loss > 0) count = std::min(count, before_loss);
        }
        return count;
    }

    void lose_block() {
        auto& lost = capture_->plan.lost;
        if (lost.empty() || capture_->waveform.next() < lost.front().at) return;
        capture_->waveform.skip(lost.front().samples);
        lost.erase(lost.begin());
    }

    std::span<const std::byte> make(std::uint64_t count) {
        if (capture_->width == SampleWidth::one_byte) {
            narrow_.resize(count);
            capture_->waveform.fill(narrow_);
            return std::as_bytes(std::span(narrow_));
        }
        wide_.resize(count);
        capture_->waveform.fill(wide_);
        return std::as_bytes(std::span(wide_));
    }

    AnalyzerServer& server_;
    tcp::socket socket_;
    Signal changed_;
    BeagleLogicDialogue dialogue_;
    std::string replies_;
    std::string sending_;
    std::optional<Capture> capture_;
    /// Samples are looked for again from then on.
    Instant next_tick_{};
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
};

AnalyzerServer::AnalyzerServer(asio::io_context& io, const WireLog& log, nanoseconds lag, Hooks hooks)
    : io_(io), log_(log), lag_(lag), hooks_(std::move(hooks)) {}

AnalyzerServer::~AnalyzerServer() {
    stop();
}

void AnalyzerServer::listen(std::uint16_t port) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    try {
        acceptor_ = std::make_shared<tcp::acceptor>(io_, endpoint.protocol());
        acceptor_->set_option(tcp::acceptor::reuse_address(true));
        acceptor_->set_option(EvenSegments(segment_bytes));
        acceptor_->bind(endpoint);
        acceptor_->listen();
    } catch (const boost::system::system_error& error) {
        throw BenchTrouble(fmt::format("the analyzer cannot listen on 127.0.0.1:{}: {}; try --analyzer-port 0", port,
                                       error.code().message()));
    }
    port_ = acceptor_->local_endpoint().port();
    asio::co_spawn(io_, accept_clients(acceptor_), asio::detached);
}

asio::awaitable<void> AnalyzerServer::accept_clients(std::shared_ptr<tcp::acceptor> acceptor) {
    while (acceptor->is_open()) {
        auto [error, socket] = co_await acceptor->async_accept(to_tuple);
        if (error) {
            co_await pause(accept_retry);
            continue;
        }
        std::erase_if(sessions_, [](const auto& session) { return session.expired(); });
        const auto session = std::make_shared<Session>(*this, std::move(socket));
        sessions_.push_back(session);
        Session::run(session);
    }
}

void AnalyzerServer::go_absent() {
    stop();
}

void AnalyzerServer::stop() {
    if (acceptor_) {
        boost::system::error_code ignored;
        acceptor_->close(ignored);
        acceptor_.reset();
    }
    for (const auto& entry : sessions_) {
        if (const auto session = entry.lock()) session->close();
    }
    sessions_.clear();
}

std::vector<Picoseconds> AnalyzerServer::progress() const {
    std::vector<Picoseconds> moments;
    for (const auto& entry : sessions_) {
        const auto session = entry.lock();
        if (!session) continue;
        if (const auto until = session->sampled_until()) moments.push_back(*until);
    }
    return moments;
}

std::optional<Picoseconds> AnalyzerServer::sampled_until() const {
    const auto moments = progress();
    return moments.empty() ? std::nullopt : std::optional(std::ranges::min(moments));
}

std::optional<Picoseconds> AnalyzerServer::first_sampled_until() const {
    const auto moments = progress();
    return moments.empty() ? std::nullopt : std::optional(std::ranges::max(moments));
}

}  // namespace vbench
