// SPDX-License-Identifier: GPL-3.0-or-later
// What every console driver does, whatever it runs over: each is put in front of a far end and asked the same.
#include "drivers/clock/host_clock.hpp"
#include "drivers/console/serial/pty_console.hpp"
#include "drivers/console/socket/tcp_console.hpp"
#include "drivers/console/socket/unix_console.hpp"
#include "drivers/sim/sim_clock.hpp"
#include "drivers/sim/sim_console.hpp"
#include "drivers/sim/uart_line.hpp"
#include "tests/folder.hpp"
#include "tests/pty.hpp"

#include <array>
#include <fcntl.h>
#include <functional>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

namespace drivers {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using rig::BenchError;
using rig::device::awaitable;
using rig::device::Console;
using rig::device::Deadline;

/// The board's side of a console, and what the host's side runs on.
class FarEnd {
public:
    /// Whether the host has what it is made of.
    [[nodiscard]] virtual bool can_be_here() const { return true; }
    virtual ~FarEnd() = default;
    virtual Console& console() = 0;
    virtual rig::device::Clock& clock() = 0;
    /// From now on there is something to open.
    virtual void appear() = 0;
    /// Sends bytes to the host; the console is open.
    virtual void send(const std::string& text) = 0;
    /// The next bytes that the host has written.
    virtual std::string receive(std::size_t count) = 0;
    virtual void hang_up() = 0;
    /// Runs the host's side to the end of `work`; gives on what it throws.
    virtual void run(awaitable<void> work) = 0;
};

/// A far end of the operating system, on real time.
class HostFarEnd : public FarEnd {
public:
    rig::device::Clock& clock() override { return clock_; }

    void run(awaitable<void> work) override {
        std::exception_ptr failed;
        bool done = false;
        asio::co_spawn(io_, std::move(work), [&](std::exception_ptr error) {
            failed = std::move(error);
            done = true;
        });
        io_.restart();
        while (!done) io_.run_one();
        if (failed) std::rethrow_exception(failed);
    }

protected:
    asio::io_context io_{1};
    HostClock clock_{io_.get_executor()};
};

/// A far end that listens: the host's connection waits in its queue until it is looked for.
template <class Protocol>
class SocketFarEnd : public HostFarEnd {
public:
    void send(const std::string& text) override { asio::write(peer(), asio::buffer(text)); }

    std::string receive(std::size_t count) override {
        std::string text(count, '\0');
        asio::read(peer(), asio::buffer(text));
        return text;
    }

    void hang_up() override { peer().close(); }

protected:
    void listen(const typename Protocol::endpoint& endpoint) { acceptor_.emplace(io_, endpoint); }

    typename Protocol::socket& peer() {
        if (!peer_) peer_.emplace(acceptor_->accept());
        return *peer_;
    }

    std::optional<typename Protocol::acceptor> acceptor_;
    std::optional<typename Protocol::socket> peer_;
};

class UnixFarEnd final : public SocketFarEnd<asio::local::stream_protocol> {
public:
    Console& console() override { return console_; }
    void appear() override { listen({path()}); }

private:
    [[nodiscard]] std::string path() const { return (folder_.path() / "console").string(); }

    rig::tests::Folder folder_;
    UnixConsole console_{io_.get_executor(), path()};
};

class TcpFarEnd final : public SocketFarEnd<asio::ip::tcp> {
public:
    Console& console() override {
        if (!console_) console_.emplace(io_.get_executor(), "127.0.0.1:" + std::to_string(port_));
        return *console_;
    }
    void appear() override {
        listen({asio::ip::address_v4::loopback(), 0});
        port_ = acceptor_->local_endpoint().port();
    }

private:
    unsigned port_ = 1;  // nobody listens there
    std::optional<TcpConsole> console_;
};

class PtyFarEnd final : public HostFarEnd {
public:
    PtyFarEnd() = default;
    ~PtyFarEnd() override { hang_up(); }

    [[nodiscard]] bool can_be_here() const override { return rig::tests::host_has_ptys(); }

    Console& console() override {
        if (!console_) console_.emplace(io_.get_executor(), path_);
        return *console_;
    }

    void appear() override {
        master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        ::grantpt(master_);
        ::unlockpt(master_);
        std::array<char, 64> name{};
        ::ptsname_r(master_, name.data(), name.size());
        path_ = name.data();
    }

    void send(const std::string& text) override {
        ASSERT_EQ(::write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }

    std::string receive(std::size_t count) override {
        std::string text(count, '\0');
        std::size_t got = 0;
        while (got < count) {
            const auto more = ::read(master_, text.data() + got, count - got);
            if (more <= 0) break;
            got += static_cast<std::size_t>(more);
        }
        return text.substr(0, got);
    }

    void hang_up() override {
        if (master_ >= 0) ::close(std::exchange(master_, -1));
    }

private:
    int master_ = -1;
    std::string path_ = "/dev/pts/no-such";
    std::optional<PtyConsole> console_;
};

class SimFarEnd final : public FarEnd {
public:
    Console& console() override { return console_; }
    rig::device::Clock& clock() override { return clock_; }
    void appear() override { faults_.clear(); }

    void send(const std::string& text) override {
        for (const char c : text) tx_.send(static_cast<std::uint8_t>(c), rig::sim::true_of(clock_.now()));
    }
    std::string receive(std::size_t count) override {
        clock_.run_until(io_, [&] { return received_.size() >= count; });
        return std::exchange(received_, {});
    }
    void hang_up() override {
        tx_.send(0, rig::sim::true_of(clock_.now()), rig::picoseconds{0}, rig::sim::Fate::line_breaks_here);
    }
    void run(awaitable<void> work) override { clock_.run_until_done(io_, std::move(work)); }

private:
    asio::io_context io_{1};
    rig::sim::SimClock clock_;
    rig::sim::FaultBoard faults_{{rig::sim::parse_fault("console-missing")}};
    std::string received_;
    rig::picoseconds bit_ = rig::sim::bit_time(rig::Baud{115200}, {});
    rig::sim::UartLine rx_{clock_, bit_, 0ns,
                           [this](const rig::sim::SimFrame& frame) { received_ += static_cast<char>(frame.value); }};
    rig::sim::SimConsole console_{clock_, faults_, rx_};
    rig::sim::UartLine tx_{clock_, bit_, 0ns, [this](const rig::sim::SimFrame& frame) { console_.receive(frame); }};
};

struct Driver {
    const char* name;
    std::function<std::unique_ptr<FarEnd>()> make;
};

class ConsoleConformance : public testing::TestWithParam<Driver> {
protected:
    void SetUp() override {
        if (!far_end_->can_be_here()) GTEST_SKIP() << "this host has no such console";
    }
    [[nodiscard]] Deadline within(std::chrono::nanoseconds span) const {
        return {"test", far_end_->clock().now() + span};
    }
    void open() {
        far_end_->appear();
        far_end_->run(far_end_->console().open(within(10s)));
    }
    void write(const std::string& text) {
        far_end_->run(far_end_->console().write(std::as_bytes(std::span(text)), within(10s)));
    }
    awaitable<void> read_into(std::string& text, std::size_t count) {
        std::array<std::byte, 64> buffer{};
        while (text.size() < count) {
            const auto got = co_await far_end_->console().read(buffer);
            if (got == 0) break;
            text.append(reinterpret_cast<const char*>(buffer.data()), got);
        }
    }
    awaitable<void> read_and_close(std::size_t& got) {
        asio::co_spawn(co_await asio::this_coro::executor, close_soon(), asio::detached);
        std::array<std::byte, 64> buffer{};
        got = co_await far_end_->console().read(buffer);
    }
    awaitable<void> close_soon() {
        co_await rig::device::pause(far_end_->clock(), 1ms);
        far_end_->console().close();
    }

    std::unique_ptr<FarEnd> far_end_ = GetParam().make();
};

TEST_P(ConsoleConformance, OneThatIsNotThereIsABenchErrorThatNamesIt) {
    try {
        far_end_->run(far_end_->console().open(within(10s)));
        FAIL() << "it opened";
    } catch (const BenchError& error) {
        EXPECT_NE(std::string(error.what()).find("console"), std::string::npos) << error.what();
        EXPECT_FALSE(error.hint().empty());
    }
}

TEST_P(ConsoleConformance, BytesOfAnyValueComeAndGoUnchangedAndInOrder) {
    open();
    std::string all;
    for (int value = 0; value < 256; ++value) all += static_cast<char>(value);
    far_end_->send(all);
    std::string came;
    far_end_->run(read_into(came, all.size()));
    EXPECT_EQ(came, all);
    write(all);
    EXPECT_EQ(far_end_->receive(all.size()), all);
}

TEST_P(ConsoleConformance, CloseEndsAPendingReadWithNothing) {
    open();
    std::size_t got = 1;
    far_end_->run(read_and_close(got));
    EXPECT_EQ(got, 0U);
}

TEST_P(ConsoleConformance, ALossIsABenchErrorAndNeverAnEndlessRead) {
    open();
    far_end_->send("last words");
    std::string came;
    far_end_->run(read_into(came, 10));
    far_end_->hang_up();
    try {
        far_end_->run(read_into(came, 1000));
        FAIL() << "the loss was not noticed";
    } catch (const BenchError& error) {
        EXPECT_NE(std::string(error.what()).find("lost"), std::string::npos) << error.what();
    }
    EXPECT_EQ(came, "last words");
}

INSTANTIATE_TEST_SUITE_P(All, ConsoleConformance,
                         testing::Values(Driver{"Unix", [] { return std::make_unique<UnixFarEnd>(); }},
                                         Driver{"Tcp", [] { return std::make_unique<TcpFarEnd>(); }},
                                         Driver{"Pty", [] { return std::make_unique<PtyFarEnd>(); }},
                                         Driver{"Sim", [] { return std::make_unique<SimFarEnd>(); }}),
                         [](const auto& instance) { return std::string(instance.param.name); });

// A real line can refuse to take more; the sim's never does.

template <class Far>
class ConsoleThatIsHeld : public testing::Test {
protected:
    void SetUp() override {
        if (!far_end_.can_be_here()) GTEST_SKIP() << "this host has no such console";
    }
    Far far_end_;
};
using HeldLines = testing::Types<UnixFarEnd, TcpFarEnd, PtyFarEnd>;
TYPED_TEST_SUITE(ConsoleThatIsHeld, HeldLines);

TYPED_TEST(ConsoleThatIsHeld, EndsAWriteAtItsDeadline) {
    auto& far_end = this->far_end_;
    far_end.appear();
    const auto soon = [&] { return Deadline{"typing", far_end.clock().now() + 50ms}; };
    far_end.run(far_end.console().open(soon()));
    const std::string much(64U << 20, 'x');  // more than any buffer on the way holds
    try {
        far_end.run(far_end.console().write(std::as_bytes(std::span(much)), soon()));
        FAIL() << "it took everything";
    } catch (const BenchError& error) {
        EXPECT_NE(std::string(error.what()).find("and no more"), std::string::npos) << error.what();
    }
}

TEST(TcpConsole, AnAddressIsHostAndPort) {
    asio::io_context io;
    for (const std::string wrong : {"", "host", "host:", ":80", "host:0", "host:65536", "host:80x", "::1:80"})
        EXPECT_THROW(TcpConsole(io.get_executor(), wrong), rig::PlanError) << wrong;
    EXPECT_NO_THROW(TcpConsole(io.get_executor(), "[::1]:80"));
    EXPECT_NO_THROW(TcpConsole(io.get_executor(), "lab-7.example:4000"));
}

}  // namespace
}  // namespace drivers
