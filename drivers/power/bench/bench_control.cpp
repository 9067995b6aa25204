// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/power/bench/bench.hpp"
#include "rig/error.hpp"

#include <istream>
#include <tuple>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace drivers {

namespace asio = boost::asio;
using rig::BenchError;
using rig::device::awaitable;
using rig::device::Deadline;

namespace {

/// Closes the socket when its time is up, which ends whatever waits on it.
class Watchdog {
public:
    Watchdog(asio::local::stream_protocol::socket& socket, const Deadline& deadline) : timer_(socket.get_executor()) {
        timer_.expires_at(std::chrono::steady_clock::time_point{deadline.until.time_since_epoch()});
        timer_.async_wait([&socket](boost::system::error_code error) {
            boost::system::error_code ignored;
            if (!error) socket.close(ignored);
        });
    }

private:
    asio::steady_timer timer_;
};

}  // namespace

BenchControl::BenchControl(const asio::any_io_executor& executor, std::string path)
    : path_(std::move(path)), socket_(executor) {}

awaitable<std::string> BenchControl::ask(std::string command, Deadline deadline) {
    const Watchdog watchdog(socket_, deadline);
    if (!socket_.is_open()) {
        const asio::local::stream_protocol::endpoint endpoint(path_);
        const auto [error] = co_await socket_.async_connect(endpoint, asio::as_tuple(asio::use_awaitable));
        if (error)
            throw BenchError(fmt::format("the bench's control socket {} cannot be opened: {}", path_, error.message()),
                             "did the bench end?");
    }
    const std::string line = command + "\n";
    const auto [write_error, written] =
        co_await asio::async_write(socket_, asio::buffer(line), asio::as_tuple(asio::use_awaitable));
    if (write_error) throw BenchError(fmt::format("the bench takes no '{}': {}", command, write_error.message()));
    const auto [read_error, size] =
        co_await asio::async_read_until(socket_, received_, '\n', asio::as_tuple(asio::use_awaitable));
    if (read_error)
        throw BenchError(
            fmt::format("{}: the bench gave no answer to '{}': {}", deadline.what, command, read_error.message()),
            "did the bench end?");
    std::istream stream(&received_);
    std::string answer;
    std::getline(stream, answer);
    const auto object = nlohmann::json::parse(answer, nullptr, false);
    if (object.is_object() && object.contains("ok") && object["ok"] == true) co_return answer;
    const bool has_reason = object.is_object() && object.contains("error") && object["error"].is_string();
    throw BenchError(
        fmt::format("the bench refuses '{}': {}", command, has_reason ? object["error"].get<std::string>() : answer));
}

awaitable<void> BenchControl::on(Deadline deadline) {
    co_await ask("power on", std::move(deadline));
}
awaitable<void> BenchControl::off(Deadline deadline) {
    co_await ask("power off", std::move(deadline));
}
awaitable<void> BenchControl::begin(Deadline deadline) {
    co_await ask("window begin", std::move(deadline));
}
awaitable<std::string> BenchControl::end(Deadline deadline) {
    co_return co_await ask("window end", std::move(deadline));
}
awaitable<std::string> BenchControl::describe(Deadline deadline) {
    co_return co_await ask("stats", std::move(deadline));
}

}  // namespace drivers
