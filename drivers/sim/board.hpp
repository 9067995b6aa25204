// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/faults.hpp"
#include "drivers/sim/kernel.hpp"
#include "drivers/sim/shell.hpp"
#include "drivers/sim/sim_parameters.hpp"
#include "drivers/sim/stimulus.hpp"
#include "drivers/sim/terminal.hpp"
#include "drivers/sim/transmitter.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rig::sim {

/// The board: boots when it gets power, then runs a shell on its console. Its CPU works ahead of the sim's clock: a
/// command is carried out whole when its line is complete, at the times that it takes; what the outside cuts short
/// (power, a hang) is taken back.
class Board final : public Machine {
public:
    Board(const SimParameters& parameters, const FaultBoard& faults, Transmitter& uart);

    void power_on(true_time at);
    void power_off(true_time at);
    [[nodiscard]] bool powered() const { return life_ != Life::off; }
    /// A byte came in whole at `at`.
    void receive(std::uint8_t byte, true_time at);

    [[nodiscard]] Kernel& kernel() { return kernel_; }
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }

    // Machine, for the shell.
    std::expected<std::string, FileError> read_file(std::string_view path) override;
    std::optional<FileError> refuses_write(std::string_view path) override;
    std::optional<FileError> write_file(std::string_view path, std::string_view content, WriteMode mode) override;
    void print(std::string_view text) override;
    void begin_command() override;
    std::optional<ProgramResult> execute(std::span<const std::string> words) override;
    [[nodiscard]] bool has_checksum() const override { return parameters_->checksum == Presence::present; }
    [[nodiscard]] bool dead() const override { return life_ != Life::running || reset_; }

private:
    enum class Life { off, booting, running, dead };
    /// Who reads what is typed.
    enum class Session { name, password, shell, sudo };

    void boot(true_time at);
    void prompt();
    void begin_session();
    void take_line(std::string_view line);
    void log_in(std::string_view password);
    void run_line(std::string_view line);
    void stop_if_hung(std::optional<true_time> goes_on);
    void printk(unsigned level, std::string_view text);
    void print_measured(std::string_view text);
    void sync();
    void strike_after_record();
    [[nodiscard]] std::string command_line() const;
    [[nodiscard]] std::string version() const;
    [[nodiscard]] ProgramResult run_uname(std::span<const std::string> words) const;
    [[nodiscard]] ProgramResult run_stty(std::span<const std::string> words);
    [[nodiscard]] ProgramResult run_sleep(std::span<const std::string> words);
    [[nodiscard]] ProgramResult run_sudo(std::span<const std::string> words);
    [[nodiscard]] bool is_root() const { return uid_ == 0; }

    /// A file that the kernel provides.
    struct KernelFile {
        std::string (Board::*read)();
        std::optional<FileError> (Board::*write)(std::string_view);
    };
    [[nodiscard]] const KernelFile* kernel_file(std::string_view path) const;
    static const std::map<std::string_view, KernelFile>& all_kernel_files();

    std::string read_irq_latency();
    std::string read_irq_events();
    std::string read_loglevels();
    std::string read_command_line() { return command_line() + "\n"; }
    std::string read_consoles() { return parameters_->consoles; }
    std::string read_timer_list();
    std::string read_version() { return version() + "\n"; }
    std::string read_uptime();
    std::string read_printk_test();
    std::string read_marker();
    std::optional<FileError> write_irq_latency(std::string_view content);
    std::optional<FileError> write_printk_test(std::string_view content);
    std::optional<FileError> write_loglevels(std::string_view content);
    std::optional<FileError> write_marker(std::string_view content);
    std::optional<FileError> write_kmsg(std::string_view content);

    const SimParameters* parameters_;
    const FaultBoard* faults_;
    Transmitter* uart_;
    Kernel kernel_;
    Terminal terminal_;
    Shell shell_{*this};
    Life life_ = Life::off;
    bool reset_ = false;      // a reset has interrupted the running command
    true_time cpu_{};         // until when the CPU's work is known
    true_time shell_from_{};  // when the shell began to read its terminal
    Session session_ = Session::shell;
    std::string name_;  // as it was typed at the login
    unsigned uid_ = 0;
    std::string shell_prompt_;
    std::string nonce_;
    std::map<std::string, std::string, std::less<>> files_;  // /tmp
};

}  // namespace rig::sim
