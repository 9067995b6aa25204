// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/shell.hpp"

#include "rig/console/shell.hpp"

#include <gtest/gtest.h>

namespace rig::sim {
namespace {

/// A machine of a few files, all of which can be written but those in /ro.
class FileMachine final : public Machine {
public:
    std::map<std::string, std::string, std::less<>> files;
    std::string screen;
    std::vector<std::vector<std::string>> executed;

    std::expected<std::string, FileError> read_file(std::string_view path) override {
        const auto found = files.find(path);
        if (found == files.end()) return std::unexpected(FileError::missing);
        return found->second;
    }
    std::optional<FileError> refuses_write(std::string_view path) override {
        return path.starts_with("/ro/") ? std::optional(FileError::denied) : std::nullopt;
    }
    std::optional<FileError> write_file(std::string_view path, std::string_view content, WriteMode mode) override {
        if (path == "/picky") return FileError::invalid;
        auto& file = files[std::string(path)];
        if (mode == WriteMode::replace) file.clear();
        file += content;
        return std::nullopt;
    }
    void print(std::string_view text) override { screen += text; }
    void begin_command() override {}
    std::optional<ProgramResult> execute(std::span<const std::string> words) override {
        if (words.front() != "run") return std::nullopt;
        executed.emplace_back(words.begin(), words.end());
        return ProgramResult{.status = 3, .output = "ran\n", .errors = "oops\n"};
    }
    [[nodiscard]] bool dead() const override { return false; }
};

/// What a line prints on a fresh machine that has the file /a holding "hello\n".
std::string screen_of(std::string_view line) {
    FileMachine machine;
    machine.files["/a"] = "hello\n";
    Shell(machine).run(line);
    return machine.screen;
}

TEST(SimShell, QuotesJoinAndKeepBlanks) {
    EXPECT_EQ(screen_of(R"(echo "@B""7f@" 'x  y' a\ b)"), "@B7f@ x  y a b\n");
    EXPECT_EQ(screen_of("echo -n a"), "a");
    EXPECT_EQ(screen_of(R"(echo '$s' "\$s")"), "$s $s\n");
}

TEST(SimShell, CommandsRunOneAfterTheOther) {
    EXPECT_EQ(screen_of("echo a;echo b ; echo c;"), "a\nb\nc\n");
    EXPECT_EQ(screen_of("true && echo yes || echo no"), "yes\n");
    EXPECT_EQ(screen_of("false && echo yes || echo no"), "no\n");
}

TEST(SimShell, TheStatusOfTheLastCommandIsKept) {
    EXPECT_EQ(screen_of("false; s=$?; true; echo $s:$?"), "1:0\n");
    EXPECT_EQ(screen_of("nonsense; echo $?"), "sh: nonsense: not found\n127\n");
    EXPECT_EQ(screen_of("s=$(false); echo $?"), "1\n");
}

TEST(SimShell, ACommandsOutputCanStandInAWord) {
    EXPECT_EQ(screen_of(R"(echo "<$(cat /a)>")"), "<hello>\n");
    EXPECT_EQ(screen_of("echo $(md5sum </a)"), "b1946ac92492d2347c6235b4d2611184 -\n");
    EXPECT_EQ(screen_of("s=a; t=$(s=b; echo $s); echo $s$t"), "ab\n");
}

TEST(SimShell, WordsAreSplitOutsideQuotesOnly) {
    EXPECT_EQ(screen_of(R"(s="a   b"; echo $s; echo "$s")"), "a b\na   b\n");
    EXPECT_EQ(screen_of(R"(echo $unset x "" y)"), "x  y\n");
}

TEST(SimShell, OutputGoesWhereItIsSent) {
    EXPECT_EQ(screen_of("echo x >/b; echo y >> /b; cat /b"), "x\ny\n");
    EXPECT_EQ(screen_of("cat /a > /b; cat </b"), "hello\n");
    EXPECT_EQ(screen_of("run 2>/err >/out; cat /out /err"), "ran\noops\n");
    EXPECT_EQ(screen_of("run >/out 2>&1; cat /out"), "ran\noops\n");
}

TEST(SimShell, RefusedFilesAreNamedInBusyboxsWords) {
    EXPECT_EQ(screen_of("cat /no; echo $?"), "cat: can't open '/no': No such file or directory\n1\n");
    EXPECT_EQ(screen_of("echo x >/ro/f; echo $?"), "sh: can't create /ro/f: Permission denied\n1\n");
    EXPECT_EQ(screen_of("echo x >/picky; echo $?"), "sh: write error: Invalid argument\n1\n");
    EXPECT_EQ(screen_of("cat </no; echo $?"), "sh: can't open /no: No such file or directory\n1\n");
}

TEST(SimShell, TestKnowsWhatCanBeReadAndWritten) {
    EXPECT_EQ(screen_of("[ -r /a ] && echo yes; test -e /no || echo no; test -w /ro/f || echo no"), "yes\nno\nno\n");
}

TEST(SimShell, WhatItDoesNotKnowIsASyntaxErrorNotAGuess) {
    EXPECT_EQ(screen_of("cat /a & true"), "sh: syntax error: unexpected \"&\"\n");
    EXPECT_EQ(screen_of("echo 'x"), "sh: syntax error: unterminated quoted string\n");
    EXPECT_EQ(screen_of("true &&"), "sh: syntax error: unexpected end of line\n");
    EXPECT_EQ(screen_of("echo $(true"), "sh: syntax error: unterminated $(\n");
}

TEST(SimShell, APipeHandsOnWhatWasPrinted) {
    EXPECT_EQ(screen_of("echo b | cat"), "b\n");
    EXPECT_EQ(screen_of("echo abc | grep b"), "abc\n");
    EXPECT_EQ(screen_of("echo abc | grep ^b; echo $?"), "1\n");
    EXPECT_EQ(screen_of("false && echo x | cat; echo y"), "y\n");
}

TEST(SimShell, AnEmptyLineOrACommentDoesNothing) {
    EXPECT_EQ(screen_of(""), "");
    EXPECT_EQ(screen_of("  # run"), "");
    EXPECT_EQ(screen_of("echo a#b # c"), "a#b\n");
}

TEST(SimShell, TheFramesThatTheRigTypesAreUnderstood) {
    const auto command = console::find_reply(screen_of(console::frame_command("cat /a", "7f")), "7f").value();
    EXPECT_EQ(command.output, "hello\n");
    EXPECT_EQ(command.exit_code, 0);
    FileMachine machine;
    machine.files["/a"] = "hello\n";
    Shell(machine).run(console::frame_output("cat /a", "80"));
    const auto file = console::find_reply(machine.screen, "80").value();
    EXPECT_EQ(file.output, "hello\n");
    EXPECT_EQ(file.intact(), true);
    EXPECT_FALSE(file.digest.empty());
}

}  // namespace
}  // namespace rig::sim
