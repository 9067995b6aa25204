// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/file_blocks.hpp"

#include "rig/capture/line_reader.hpp"
#include "rig/capture/test_capture.hpp"

#include <gtest/gtest.h>

namespace rig::capture {
namespace {

using testing::put;
using testing::refusal;

TEST(FileBlocks, SayWhyAFileCannotBeRead) {
    const tests::Folder folder;
    const auto opening = [&](const std::filesystem::path& path) {
        return refusal(folder, std::function<void()>([path] { const FileBlocks blocks(path); }));
    };
    EXPECT_EQ(opening(folder.path() / "a"), "a: there is no such file | look at its path");
    EXPECT_EQ(opening(put(folder, "b", "")), "b: is empty | nothing was written; record it again");
    std::filesystem::create_directory(folder.path() / "c");
    EXPECT_EQ(
        opening(folder.path() / "c"),
        "c: is not a file that can be read twice | a capture is a regular file; put what a pipe delivers into one");
}

TEST(LineReader, GivesLinesAcrossItsBlocks) {
    const tests::Folder folder;
    std::string text;
    for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + (i % 2 == 0 ? "\n" : "\r\n");
    LineReader lines(put(folder, "a", text + "last"));
    for (int i = 0; i < 300'000; ++i) ASSERT_EQ(lines.next(), std::to_string(i));
    EXPECT_EQ(lines.next(), "last");
    EXPECT_EQ(lines.number(), 300'001U);
    EXPECT_EQ(lines.next(), std::nullopt);
}

TEST(LineReader, RefusesALineThatIsLongerThanItsBuffer) {
    const tests::Folder folder;
    const auto reading = [&](std::size_t length) {
        return refusal(folder, std::function<void()>([&folder, length] {
                           LineReader lines(put(folder, "a", "first\n" + std::string(length, '1')));
                           while (lines.next()) {
                           }
                       }));
    };
    EXPECT_EQ(reading(block_bytes - 1), "");
    EXPECT_EQ(
        reading(block_bytes),
        "a:2: is longer than 1 MiB | a capture in text has short lines; look whether the file is of another format");
}

TEST(Shown, IsShortAndPrintable) {
    EXPECT_EQ(shown("abc"), "'abc'");
    EXPECT_EQ(shown("\x01\xff"), "'\\x01\\xff'");
    EXPECT_EQ(shown(std::string(50, 'a')), "'" + std::string(40, 'a') + "…'");
}

}  // namespace
}  // namespace rig::capture
