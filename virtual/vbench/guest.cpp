// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest.hpp"

#include <array>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <fmt/format.h>

namespace vbench {

using asio::posix::descriptor_base;
using asio::posix::stream_descriptor;

namespace {

constexpr std::size_t longest_error_text = 4096;

/// QEMU's CPU threads start a few milliseconds after QEMU.
constexpr std::chrono::milliseconds thread_look_interval{1};

/// Asio owns what it watches, so it gets a descriptor of its own.
stream_descriptor watch(asio::io_context& io, int fd) {
    return {io, ::fcntl(fd, F_DUPFD_CLOEXEC, 0)};
}

}  // namespace

std::shared_ptr<Guest> Guest::start(asio::io_context& io, const GuestCommand& command, const UartEnds& uart,
                                    unsigned marker_pin, std::uint64_t attachment, Hooks hooks) {
    const std::shared_ptr<Guest> guest(
        new Guest(io, GuestProcess::start(command, uart), marker_pin, attachment, std::move(hooks)));
    asio::co_spawn(io, watch_end(guest), asio::detached);
    asio::co_spawn(io, watch_trace(guest), asio::detached);
    asio::co_spawn(io, watch_errors(guest), asio::detached);
    asio::co_spawn(io, order_threads(guest), asio::detached);
    return guest;
}

Guest::Guest(asio::io_context& io, GuestProcess process, unsigned marker_pin, std::uint64_t attachment, Hooks hooks)
    : process_(std::move(process)),
      trace_(process_->trace_fd(), marker_pin),
      attachment_(attachment),
      hooks_(std::move(hooks)),
      end_(watch(io, process_->end_fd())),
      trace_ready_(watch(io, process_->trace_fd())),
      errors_(watch(io, process_->error_fd())) {}

void Guest::cut_power() {
    hooks_ = {};
    boost::system::error_code ignored;
    end_.close(ignored);
    trace_ready_.close(ignored);
    errors_.close(ignored);
    process_.reset();
}

asio::awaitable<void> Guest::watch_end(std::shared_ptr<Guest> guest) {
    const auto [error] = co_await guest->end_.async_wait(descriptor_base::wait_read, to_tuple);
    if (error || !guest->process_) co_return;
    guest->read_last_errors();
    const std::string line = guest->last_error_line();
    const std::string how = guest->process_->await_end();
    const auto ended = guest->hooks_.ended;
    if (ended) ended(line.empty() ? how : fmt::format("{}: {}", how, line));
}

asio::awaitable<void> Guest::watch_trace(std::shared_ptr<Guest> guest) {
    for (;;) {
        const auto [error] = co_await guest->trace_ready_.async_wait(descriptor_base::wait_read, to_tuple);
        if (error || !guest->hooks_.trace_ready) co_return;
        guest->hooks_.trace_ready();
        if (guest->trace_.ended()) co_return;
    }
}

asio::awaitable<void> Guest::watch_errors(std::shared_ptr<Guest> guest) {
    std::array<char, 1024> buffer{};
    for (;;) {
        const auto [error, size] = co_await guest->errors_.async_read_some(asio::buffer(buffer), to_tuple);
        if (error) co_return;
        guest->keep_error_text({buffer.data(), size});
    }
}

asio::awaitable<void> Guest::order_threads(std::shared_ptr<Guest> guest) {
    while (guest->process_ && !guest->process_->order_threads()) co_await pause(thread_look_interval);
}

void Guest::read_last_errors() {
    std::array<char, 1024> buffer{};
    for (ssize_t size = 0; (size = ::read(process_->error_fd(), buffer.data(), buffer.size())) > 0;) {
        keep_error_text({buffer.data(), static_cast<std::size_t>(size)});
    }
}

void Guest::keep_error_text(std::string_view text) {
    error_text_ += text;
    if (error_text_.size() > longest_error_text) error_text_.erase(0, error_text_.size() - longest_error_text);
}

std::string Guest::last_error_line() const {
    std::string_view text = error_text_;
    while (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t line_end = text.rfind('\n');
    return std::string(line_end == std::string_view::npos ? text : text.substr(line_end + 1));
}

}  // namespace vbench
