// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/sr_file.hpp"

#include "rig/error.hpp"
#include "rig/evidence/sr_file_traces.hpp"
#include "rig/wire/generate.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <zip.h>

namespace rig::evidence {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone after the test.
class SrFileTest : public ::testing::Test {
protected:
    SrFileTest() {
        std::string pattern = (fs::temp_directory_path() / "rig-sr-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~SrFileTest() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    [[nodiscard]] fs::path path(const std::string& name = "capture.sr") const { return folder_ / name; }

    struct Entry {
        std::string name;
        std::string content;
    };

    /// A session made by hand.
    fs::path archive(const std::vector<Entry>& entries) const {
        const fs::path made = path("made.sr");
        int error = 0;
        zip_t* zip = zip_open(made.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
        for (const Entry& entry : entries)
            zip_file_add(zip, entry.name.c_str(), zip_source_buffer(zip, entry.content.data(), entry.content.size(), 0),
                         0);
        EXPECT_EQ(zip_close(zip), 0);
        return made;
    }

    static std::string complaint(const fs::path& file) {
        try {
            const SrFile opened = SrFile::open(file);
            opened.for_each_block([](std::span<const std::byte>) {});
        } catch (const Error& error) {
            EXPECT_EQ(error.culprit(), Culprit::plan);
            EXPECT_FALSE(error.hint().empty());
            const std::string what = error.what();
            EXPECT_TRUE(what.starts_with(file.string() + ": ")) << what;
            return what.substr(file.string().size() + 2);
        }
        return "accepted";
    }

    static std::vector<std::byte> samples_of(const SrFile& file) {
        std::vector<std::byte> all;
        file.for_each_block(
            [&](std::span<const std::byte> block) { all.insert(all.end(), block.begin(), block.end()); });
        return all;
    }

    static std::string content_of(const fs::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    static std::vector<std::byte> pattern(std::size_t bytes) {
        std::vector<std::byte> data(bytes);
        for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i / 97 % 4);
        return data;
    }

    fs::path folder_;
};

const std::string metadata =
    "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\ntotal probes=2\nsamplerate=4 MHz\n"
    "total analog=0\nprobe1=TX\nprobe2=RX\nunitsize=1\n";

std::string metadata_without(const std::string& line) {
    std::string text = metadata;
    const std::size_t at = text.find(line);
    return text.erase(at, text.find('\n', at) + 1 - at);
}

TEST_F(SrFileTest, GivesBackWhatWasWritten) {
    const auto data = pattern(9'000'001);  // two chunks and a part
    SrWriter writer(path(), SampleRate{4'000'000}, {{"TX", 0}, {"marker", 1}}, 1);
    for (std::size_t at = 0; at < data.size(); at += 70'001)
        writer.append(std::span(data).subspan(at, std::min<std::size_t>(70'001, data.size() - at)));
    EXPECT_EQ(writer.bytes(), data.size());
    writer.finish();

    const SrFile file = SrFile::open(path());
    EXPECT_EQ(file.rate(), SampleRate{4'000'000});
    EXPECT_EQ(file.unitsize(), 1U);
    EXPECT_EQ(file.samples(), data.size());
    EXPECT_EQ(file.channels(), (std::vector<SrChannel>{{"TX", 0}, {"marker", 1}}));
    EXPECT_EQ(samples_of(file), data);
    EXPECT_FALSE(fs::exists(SrWriter::spool_of(path())));
}

TEST_F(SrFileTest, GivesEqualBytesForEqualDataInAnyTimeZone) {
    const auto data = pattern(100'000);
    std::vector<std::string> contents;
    for (const char* zone : {"UTC", "Pacific/Kiritimati"}) {
        ::setenv("TZ", zone, 1);
        ::tzset();
        SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 2);
        writer.append(data);
        writer.finish();
        contents.push_back(content_of(path()));
    }
    ::unsetenv("TZ");
    ::tzset();
    EXPECT_EQ(contents[0], contents[1]);
}

TEST_F(SrFileTest, KeepsEverySampleRateExactly) {
    for (const std::uint64_t hz : {1ULL, 999ULL, 500'000ULL, 11'059'200ULL, 24'000'000ULL, 1'000'000'000ULL}) {
        SrWriter writer(path(), SampleRate{hz}, {{"TX", 0}}, 1);
        writer.append(pattern(10));
        writer.finish();
        EXPECT_EQ(SrFile::open(path()).rate(), SampleRate{hz});
    }
}

TEST_F(SrFileTest, LeavesNothingInPlaceUntilItIsFinished) {
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 1);
    writer.append(pattern(1000));
    EXPECT_FALSE(fs::exists(path()));
    writer.finish();
    EXPECT_TRUE(fs::exists(path()));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
    EXPECT_THROW(writer.finish(), RigError);
    EXPECT_THROW(writer.append(pattern(1)), RigError);
}

TEST_F(SrFileTest, RecoversTheSamplesOfAKilledWriter) {
    {
        SrWriter killed(path(), SampleRate{1'000'000}, {{"TX", 0}}, 2);
        killed.append(pattern(1001));
    }
    SrWriter::recover(path(), SampleRate{1'000'000}, {{"TX", 0}}, 2);
    EXPECT_EQ(SrFile::open(path()).samples(), 500U);
    EXPECT_THROW(SrWriter::recover(path(), SampleRate{1'000'000}, {{"TX", 0}}, 2), BenchError);
}

TEST_F(SrFileTest, RefusesToFinishInsideASample) {
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 2);
    writer.append(pattern(3));
    EXPECT_THROW(writer.finish(), BenchError);
    EXPECT_TRUE(fs::exists(SrWriter::spool_of(path())));
}

TEST_F(SrFileTest, RefusesChannelsOutsideTheSample) {
    EXPECT_THROW(SrWriter(path(), SampleRate{1}, {{"TX", 8}}, 1), RigError);
    EXPECT_THROW(SrWriter(path(), SampleRate{1}, {}, 1), RigError);
    EXPECT_THROW(SrWriter(path(), SampleRate{1}, {{"TX", 0}}, 3), RigError);
}

TEST_F(SrFileTest, SaysWhenItsFolderIsMissing) {
    EXPECT_THROW(SrWriter(path("none/capture.sr"), SampleRate{1}, {{"TX", 0}}, 1), BenchError);
}

TEST_F(SrFileTest, ReadsTheOldVersionWithSpacesAndTriggers) {
    const fs::path file = archive({{"version", "1"},
                                   {"metadata",
                                    "[global]\nsigrok version = 0.2.1\n[device 1]\ndriver = ols\n"
                                    "capturefile = logic-1\nunitsize = 1\ntotal probes = 32\n"
                                    "samplerate = 200 kHz\nprobe1 = TX\n trigger1 = 0\n"},
                                   {"logic-1", std::string(100, '\1')}});
    const SrFile opened = SrFile::open(file);
    EXPECT_EQ(opened.rate(), SampleRate{200'000});
    EXPECT_EQ(opened.samples(), 100U);
    EXPECT_EQ(opened.channels(), (std::vector<SrChannel>{{"TX", 0}}));
}

TEST_F(SrFileTest, FindsAChannelByNameOrByNumber) {
    const SrFile file = SrFile::open(archive({{"version", "2"}, {"metadata", metadata}, {"logic-1-1", "ab"}}));
    EXPECT_EQ(file.channel("RX").bit, 1U);
    EXPECT_EQ(file.channel("D1").name, "RX");
    EXPECT_EQ(file.channel("0").name, "TX");
    try {
        (void)file.channel("CTS");
        FAIL() << "found a channel that is not there";
    } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what()).ends_with("it has no channel 'CTS'"));
        EXPECT_EQ(error.hint(), "its channels are TX, RX");
    }
}

TEST_F(SrFileTest, TakesTheCulpritFromItsCaller) {
    try {
        (void)SrFile::open(path("absent.sr"), Culprit::bench);
        FAIL() << "opened a file that is not there";
    } catch (const Error& error) {
        EXPECT_EQ(error.culprit(), Culprit::bench);
    }
}

TEST_F(SrFileTest, SaysWhatIsMissingOrWrong) {
    EXPECT_EQ(complaint(path("absent.sr")), "there is no such file");
    std::ofstream(path("text.sr")) << "no archive at all, but long enough to be looked at as one";
    EXPECT_EQ(complaint(path("text.sr")), "it is no sigrok session: not a zip archive");
    EXPECT_EQ(complaint(archive({{"metadata", metadata}})), "it is no sigrok session: it holds no 'version'");
    EXPECT_EQ(complaint(archive({{"version", "2"}})), "it is no sigrok session: it holds no 'metadata'");
    EXPECT_EQ(complaint(archive({{"version", "3"}, {"metadata", metadata}})),
              "it is a session of version '3'; 1 and 2 can be read");
    const auto with = [&](const std::string& text) {
        return complaint(archive({{"version", "2"}, {"metadata", text}, {"logic-1-1", "abcd"}}));
    };
    EXPECT_EQ(with(metadata), "accepted");
    EXPECT_EQ(with(metadata_without("samplerate")), "it does not say its sample rate, so nothing in it has a time");
    EXPECT_EQ(with(metadata_without("samplerate") + "samplerate=fast\n"), "its sample rate 'fast' is no rate");
    EXPECT_EQ(with(metadata_without("unitsize")), "it does not say its unitsize");
    EXPECT_EQ(with(metadata_without("unitsize") + "unitsize=9\n"), "its unitsize is not 1 to 8 bytes");
    EXPECT_EQ(with(metadata_without("capturefile")), "no logic data: it names no capture file");
    EXPECT_EQ(with(metadata + "probe9=CTS\n"), "channel 'CTS' is bit 8, but a sample has 8 bits by its unitsize");
    EXPECT_EQ(with(metadata_without("unitsize") + "unitsize=3\n"),
              "its 4 bytes of samples are no whole number of 3-byte samples");
    EXPECT_EQ(complaint(archive({{"version", "2"}, {"metadata", metadata}})),
              "no logic data: 'logic-1' is named but not in the file");
    EXPECT_EQ(complaint(archive({{"version", "2"}, {"metadata", metadata}, {"logic-1-1", ""}})),
              "no logic data: its chunks are empty");
    EXPECT_EQ(complaint(archive({{"version", "2"},
                                 {"metadata", "[device 1]\nsamplerate=1 MHz\ntotal analog=2\nanalog1=A0\n"},
                                 {"analog-1-1-1", "abcd"}})),
              "it holds analog channels only");
}

TEST_F(SrFileTest, NamesTheChunkThatIsDamaged) {
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 1);
    std::vector<std::byte> noise(6'000'000);
    std::uint32_t state = 1;
    for (std::byte& byte : noise) byte = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24U);
    writer.append(noise);
    writer.finish();
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(5'000'000);  // inside the second chunk: noise does not compress
    file.put('\x55');
    file.put('\x55');
    file.close();
    EXPECT_TRUE(complaint(path()).starts_with("chunk 'logic-1-2' is damaged: ")) << complaint(path());
}

TEST_F(SrFileTest, SaysWhenTheFileIsCutShort) {
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 1);
    writer.append(pattern(1'000'000));
    writer.finish();
    fs::resize_file(path(), fs::file_size(path()) / 2);
    EXPECT_EQ(complaint(path()), "it is no sigrok session: not a zip archive");
}

TEST_F(SrFileTest, RefusesAChunkThatLiesAboutItsSize) {
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}}, 1);
    writer.append(pattern(100'000));
    writer.finish();
    // The uncompressed size in the central directory: 24 bytes into the entry whose name is the chunk's.
    std::string content = content_of(path());
    const std::size_t name = content.rfind("logic-1-1");
    ASSERT_NE(name, std::string::npos);
    const std::size_t size_field = name - 46 + 24;
    content.replace(size_field, 4, std::string("\xff\xff\xff\x7f", 4));
    std::ofstream(path(), std::ios::binary) << content;
    EXPECT_EQ(complaint(path()).substr(0, 40), "chunk 'logic-1-1' says 2147483647 bytes ") << complaint(path());
    content.replace(size_field, 4, std::string("\x00\x04\x00\x00", 4));
    std::ofstream(path(), std::ios::binary) << content;
    EXPECT_TRUE(complaint(path()).starts_with("chunk 'logic-1-1' is damaged: ")) << complaint(path());
}

TEST_F(SrFileTest, GivesTheTracesOfItsChannels) {
    const wire::Trace tx{SampleRate{1'000'000},
                         5000,
                         wire::Level::high,
                         {{SampleIndex{100}, wire::Level::low}, {SampleIndex{4200}, wire::Level::high}}};
    const wire::Trace marker{SampleRate{1'000'000}, 5000, wire::Level::low, {{SampleIndex{7}, wire::Level::high}}};
    const wire::Lane lanes[] = {{&tx, 0}, {&marker, 9}};
    SrWriter writer(path(), SampleRate{1'000'000}, {{"TX", 0}, {"marker", 9}}, 2);
    writer.append(wire::to_samples(lanes, 2, SampleIndex{0}, 5000));
    writer.finish();
    const SrFile file = SrFile::open(path());
    const SrChannel wanted[] = {file.channel("marker"), file.channel("TX")};
    EXPECT_EQ(read_traces(file, wanted), (std::vector<wire::Trace>{marker, tx}));
}

}  // namespace
}  // namespace rig::evidence
