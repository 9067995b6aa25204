// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/error.hpp"
#include "rig/time/units.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace rig::evidence {

/// A logic channel of a capture: its name and the bit of a sample that carries it.
struct SrChannel {
    std::string name;
    unsigned bit = 0;
    bool operator==(const SrChannel&) const = default;
};

/// Writes a logic capture as a sigrok session, version 2, which PulseView and sigrok-cli open.
///
/// Samples are spooled uncompressed beside the file (`spool_of(path)`) as they come, so that memory stays small and a
/// killed run leaves them; finish() packs them, removes the spool and gives the session its name in one step. Equal
/// data gives equal bytes: no time of day and no time zone gets in. One thread.
class SrWriter {
public:
    /// `unitsize` is 1 or 2 bytes a sample; every channel's bit must lie in it (RigError). Throws BenchError when the
    /// spool cannot be written. What an earlier, killed writer left in the spool is discarded.
    SrWriter(std::filesystem::path path, SampleRate rate, std::vector<SrChannel> channels, std::size_t unitsize);
    SrWriter(SrWriter&&) noexcept;
    SrWriter& operator=(SrWriter&&) noexcept;
    ~SrWriter();

    /// Appends samples; a block may end inside a sample. Throws BenchError when the disk does not take them.
    void append(std::span<const std::byte> block);

    /// Bytes appended so far.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Packs the session and puts it in place. Throws BenchError when that fails (the spool then stays) or when the
    /// samples end inside a unit.
    void finish();

    /// Where samples wait until finish().
    static std::filesystem::path spool_of(const std::filesystem::path& path);

    /// Packs a spool that a killed run left at `spool_of(path)` into `path`; samples cut inside a unit are dropped.
    static void recover(const std::filesystem::path& path, SampleRate rate, const std::vector<SrChannel>& channels,
                        std::size_t unitsize);

private:
    class Spool;
    std::unique_ptr<Spool> spool_;
};

/// A sigrok session (version 1 or 2) that is read. Its samples are streamed: memory does not grow with the capture. One
/// thread at a time.
///
/// Every error names the file and is of the culprit that open() was told: `plan` for a file that a user names, `bench`
/// for one that the rig itself should have made.
class SrFile {
public:
    /// Opens a session and reads its description. Refuses what is no zip archive or no session, what holds no sample
    /// rate, no logic channels (analog only) or no logic data, and sizes that cannot be true.
    static SrFile open(const std::filesystem::path& path, Culprit blame = Culprit::plan);
    SrFile(SrFile&&) noexcept;
    SrFile& operator=(SrFile&&) noexcept;
    ~SrFile();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] SampleRate rate() const { return rate_; }
    [[nodiscard]] std::size_t unitsize() const { return unitsize_; }
    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    /// The logic channels in order of bit; a channel without a name has its number.
    [[nodiscard]] const std::vector<SrChannel>& channels() const { return channels_; }

    /// The channel of that name (or, when none has it, "D3" or "3" for bit 3). An error that lists the names otherwise.
    [[nodiscard]] const SrChannel& channel(std::string_view name) const;

    /// Hands over all samples in order, in blocks of at most 256 KiB that are gone when the call returns; blocks may
    /// end inside a sample. Throws when a chunk is damaged or holds more or less than it says, and names the chunk.
    void for_each_block(const std::function<void(std::span<const std::byte>)>& consume) const;

private:
    struct Chunk {
        std::uint64_t index = 0;
        std::uint64_t size = 0;
        std::string name;
    };
    struct Archive;
    class Opener;

    SrFile(std::filesystem::path path, Culprit blame);
    void read_chunk(const Chunk& chunk, std::span<std::byte> buffer,
                    const std::function<void(std::span<const std::byte>)>& consume) const;
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const;

    std::filesystem::path path_;
    Culprit blame_;
    std::unique_ptr<Archive> archive_;
    SampleRate rate_;
    std::size_t unitsize_ = 0;
    std::uint64_t samples_ = 0;
    std::vector<SrChannel> channels_;
    std::vector<Chunk> chunks_;
};

}  // namespace rig::evidence
