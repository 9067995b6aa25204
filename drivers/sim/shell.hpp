// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/sim/shell_syntax.hpp"

#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rig::sim {

enum class FileError { missing, no_folder, denied, invalid };
/// The words of strerror.
std::string_view text_of(FileError error);

enum class WriteMode { replace, append };

/// What a program left behind.
struct ProgramResult {
    int status = 0;
    std::string output;
    std::string errors;
};

/// What the shell runs on.
class Machine {
public:
    virtual ~Machine() = default;
    virtual std::expected<std::string, FileError> read_file(std::string_view path) = 0;
    /// Whether `path` could be opened for writing; the error when not.
    virtual std::optional<FileError> refuses_write(std::string_view path) = 0;
    virtual std::optional<FileError> write_file(std::string_view path, std::string_view content, WriteMode mode) = 0;
    /// On the terminal, at once.
    virtual void print(std::string_view text) = 0;
    /// A command is about to be carried out.
    virtual void begin_command() = 0;
    /// Runs a program that the shell itself does not have; nothing when there is none of that name.
    virtual std::optional<ProgramResult> execute(std::span<const std::string> words) = 0;
    /// Whether it has md5sum.
    [[nodiscard]] virtual bool has_checksum() const { return true; }
    /// The machine stopped running programs (it died or was reset); the shell does nothing more.
    [[nodiscard]] virtual bool dead() const = 0;
};

/// A small shell with busybox's words, built-in `echo`, `cat`, `grep`, `md5sum`, `test`, `true`, `false`; everything
/// else is asked of the machine.
class Shell {
public:
    explicit Shell(Machine& machine) : machine_(&machine) {}

    /// Runs a line; what it prints goes to the machine's terminal command by command.
    void run(std::string_view line);
    [[nodiscard]] int status() const { return status_; }

private:
    struct Streams;

    void run_list(std::span<const syntax::Command> commands, std::string* captured);
    /// `input` is what comes through a pipe; `captured` takes the output, the terminal where it is null.
    void run_command(const syntax::Command& command, std::optional<std::string> input, std::string* captured);
    ProgramResult run_program(std::span<const std::string> words, const Streams& streams);
    ProgramResult run_cat(std::span<const std::string> words, const Streams& streams);
    ProgramResult run_grep(std::span<const std::string> words, const Streams& streams);
    ProgramResult run_test(std::span<const std::string> words);
    std::optional<ProgramResult> open_streams(const syntax::Command& command, Streams& streams);
    void flush(const Streams& streams, ProgramResult result, std::string* captured);
    std::vector<std::string> expand(const syntax::Word& word);
    std::string expand_to_one(const syntax::Word& word);
    std::string value_of(const syntax::Piece& piece);
    std::string substitute(std::string_view line);

    Machine* machine_;
    int status_ = 0;
    std::map<std::string, std::string> variables_;
};

}  // namespace rig::sim
