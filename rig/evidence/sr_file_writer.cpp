// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/sr_file.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

namespace rig::evidence {

namespace {

/// libsigrok itself writes chunks of 4 MiB, and reads them in one piece.
constexpr std::uint64_t chunk_bytes = 4ULL * 1024 * 1024;

/// The archive format's own epoch, 1980-01-01 00:00, as MS-DOS date and time.
constexpr zip_uint16_t dos_epoch_date = 1 << 5 | 1;
constexpr zip_uint16_t dos_epoch_time = 0;

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view doing, std::string_view why) {
    throw BenchError(fmt::format("{}: cannot {}: {}", path.string(), doing, why),
                     "look at the free space and the permissions of its folder", path.string());
}

std::string os_error() {
    return std::error_code(errno, std::generic_category()).message();
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string rate_text(SampleRate rate) {
    constexpr std::uint64_t mega = 1'000'000, kilo = 1'000;
    if (rate.hz % mega == 0) return fmt::format("{} MHz", rate.hz / mega);
    if (rate.hz % kilo == 0) return fmt::format("{} kHz", rate.hz / kilo);
    return fmt::format("{} Hz", rate.hz);
}

std::string metadata_text(SampleRate rate, const std::vector<SrChannel>& channels, std::size_t unitsize) {
    // The version line names the layout's own reference implementation; readers want one there.
    unsigned lines = 0;
    for (const SrChannel& channel : channels) lines = std::max(lines, channel.bit + 1);
    std::string text = "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n";
    text += fmt::format("total probes={}\nsamplerate={}\ntotal analog=0\n", lines, rate_text(rate));
    for (const SrChannel& channel : channels) text += fmt::format("probe{}={}\n", channel.bit + 1, channel.name);
    text += fmt::format("unitsize={}\n", unitsize);
    return text;
}

/// A session archive that is being made; gone again unless it was closed.
class Packer {
public:
    explicit Packer(std::filesystem::path path) : path_(std::move(path)) {
        int error = 0;
        archive_ = zip_open(path_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
        if (archive_ == nullptr) {
            zip_error_t detail;
            zip_error_init_with_code(&detail, error);
            const std::string why = zip_error_strerror(&detail);
            zip_error_fini(&detail);
            fail(path_, "begin the session", why);
        }
    }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    ~Packer() {
        if (archive_ != nullptr) zip_discard(archive_);
    }

    void add_text(const char* name, const std::string& text) {
        add(name, zip_source_buffer(archive_, text.data(), text.size(), 0));
    }

    void add_part(const std::string& name, const std::filesystem::path& file, std::uint64_t from, std::uint64_t count) {
        add(name.c_str(), zip_source_file(archive_, file.c_str(), from, static_cast<zip_int64_t>(count)));
    }

    void close() {
        if (zip_close(archive_) != 0) fail(path_, "write the session", zip_strerror(archive_));
        archive_ = nullptr;
    }

private:
    void add(const char* name, zip_source_t* source) {
        if (source == nullptr) fail(path_, "add to the session", zip_strerror(archive_));
        const zip_int64_t index = zip_file_add(archive_, name, source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            fail(path_, "add to the session", zip_strerror(archive_));
        }
        zip_file_set_dostime(archive_, static_cast<zip_uint64_t>(index), dos_epoch_time, dos_epoch_date, 0);
    }

    std::filesystem::path path_;
    zip_t* archive_ = nullptr;  // owned; libzip has no C++ handle
};

void sync_file(const std::filesystem::path& path) {
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) fail(path, "open it again", os_error());
    const int result = ::fsync(handle);
    const std::string why = result != 0 ? os_error() : std::string();
    ::close(handle);
    if (result != 0) fail(path, "write it to the disk", why);
}

void pack(const std::filesystem::path& path, const std::filesystem::path& spool, std::uint64_t bytes,
          const std::string& metadata) {
    const std::string version = "2";
    std::filesystem::path partial = path;
    partial += ".partial";
    {
        Packer packer(partial);
        packer.add_text("version", version);
        packer.add_text("metadata", metadata);
        std::uint64_t number = 1;
        for (std::uint64_t from = 0; from < bytes; from += chunk_bytes, ++number)
            packer.add_part(fmt::format("logic-1-{}", number), spool, from, std::min(chunk_bytes, bytes - from));
        packer.close();
    }
    sync_file(partial);
    std::error_code error;
    std::filesystem::rename(partial, path, error);
    if (error) fail(path, "put the session in its place", error.message());
    std::filesystem::remove(spool, error);
}

void require_channels(const std::vector<SrChannel>& channels, std::size_t unitsize) {
    if (unitsize != 1 && unitsize != 2)
        throw RigError(fmt::format("a session of {} bytes a sample was asked for; 1 or 2 are possible", unitsize));
    if (channels.empty()) throw RigError("a session without channels was asked for");
    for (const SrChannel& channel : channels)
        if (channel.bit >= 8 * unitsize)
            throw RigError(fmt::format("channel {} is bit {}, outside a sample of {} byte(s)", channel.name,
                                       channel.bit, unitsize));
}

}  // namespace

class SrWriter::Spool {
public:
    Spool(std::filesystem::path path, SampleRate rate, std::vector<SrChannel> channels, std::size_t unitsize)
        : path_(std::move(path)),
          rate_(rate),
          channels_(std::move(channels)),
          unitsize_(unitsize),
          file_(std::fopen(spool_of(path_).c_str(), "wbe")) {
        if (!file_) fail(spool_of(path_), "create it", os_error());
    }

    void append(std::span<const std::byte> block) {
        if (!file_) throw RigError(fmt::format("{}: samples were appended after the end", path_.string()));
        if (block.empty()) return;
        if (std::fwrite(block.data(), 1, block.size(), file_.get()) != block.size())
            fail(spool_of(path_), "append samples", os_error());
        bytes_ += block.size();
    }

    void finish() {
        if (!file_) throw RigError(fmt::format("{}: the session was finished twice", path_.string()));
        if (std::fclose(file_.release()) != 0) fail(spool_of(path_), "append samples", os_error());
        if (bytes_ % unitsize_ != 0)
            throw BenchError(fmt::format("{}: the capture ends inside a sample ({} bytes, {} a sample)", path_.string(),
                                         bytes_, unitsize_),
                             "the analyzer's stream was cut", spool_of(path_).string());
        pack(path_, spool_of(path_), bytes_, metadata_text(rate_, channels_, unitsize_));
    }

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    std::filesystem::path path_;
    SampleRate rate_;
    std::vector<SrChannel> channels_;
    std::size_t unitsize_;
    File file_;
    std::uint64_t bytes_ = 0;
};

SrWriter::SrWriter(std::filesystem::path path, SampleRate rate, std::vector<SrChannel> channels, std::size_t unitsize) {
    require_channels(channels, unitsize);
    spool_ = std::make_unique<Spool>(std::move(path), rate, std::move(channels), unitsize);
}
SrWriter::SrWriter(SrWriter&&) noexcept = default;
SrWriter& SrWriter::operator=(SrWriter&&) noexcept = default;
SrWriter::~SrWriter() = default;

void SrWriter::append(std::span<const std::byte> block) {
    spool_->append(block);
}
std::uint64_t SrWriter::bytes() const {
    return spool_->bytes();
}
void SrWriter::finish() {
    spool_->finish();
}

std::filesystem::path SrWriter::spool_of(const std::filesystem::path& path) {
    std::filesystem::path spool = path;
    spool += ".samples";
    return spool;
}

void SrWriter::recover(const std::filesystem::path& path, SampleRate rate, const std::vector<SrChannel>& channels,
                       std::size_t unitsize) {
    require_channels(channels, unitsize);
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(spool_of(path), error);
    if (error) fail(spool_of(path), "find the samples to recover", error.message());
    pack(path, spool_of(path), bytes - bytes % unitsize, metadata_text(rate, channels, unitsize));
}

}  // namespace rig::evidence
