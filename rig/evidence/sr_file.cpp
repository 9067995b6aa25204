// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/sr_file.hpp"

#include "rig/text.hpp"
#include "rig/time/sample_rate.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

namespace rig::evidence {

namespace {

constexpr std::size_t block_bytes = 256UL * 1024;
/// A description is a few hundred bytes; a larger one is none.
constexpr std::uint64_t max_description_bytes = 1024UL * 1024;
/// What deflate can make of one byte at best; a chunk that claims more lies.
constexpr std::uint64_t max_expansion = 1032;
/// More than any analyzer delivers in a year: a size beyond is a lie that would only cost time.
constexpr std::uint64_t max_capture_bytes = std::uint64_t{1} << 50U;

struct CloseEntry {
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// What a session's `metadata` says of its first device with logic data.
struct Description {
    std::string capture_file;
    std::string rate;
    std::optional<std::uint64_t> unitsize;
    std::optional<std::uint64_t> probes;
    std::uint64_t analog = 0;
    std::vector<SrChannel> names;
};

void apply_line(Description& description, std::string_view key, std::string_view value) {
    constexpr std::string_view probe = "probe";
    if (key == "capturefile")
        description.capture_file = value;
    else if (key == "samplerate")
        description.rate = value;
    else if (key == "unitsize")
        description.unitsize = parse_count(value).value_or(0);
    else if (key == "total probes")
        description.probes = parse_count(value);
    else if (key == "total analog")
        description.analog = parse_count(value).value_or(0);
    else if (key.starts_with(probe))
        if (const auto number = parse_count(key.substr(probe.size())); number && *number >= 1 && *number <= 64)
            description.names.push_back({std::string(value), static_cast<unsigned>(*number - 1)});
}

Description parse_description(std::string_view text) {
    Description description;
    bool device = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with('[')) {
            if (device && !description.capture_file.empty()) break;
            device = line.starts_with("[device");
            continue;
        }
        const std::size_t equals = line.find('=');
        if (!device || equals == std::string_view::npos) continue;
        apply_line(description, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    return description;
}

}  // namespace

struct SrFile::Archive {
    explicit Archive(zip_t* opened) : zip(opened) {}
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;
    ~Archive() { zip_discard(zip); }

    zip_t* zip;  // owned; libzip has no C++ handle
};

/// Fills an SrFile from its archive, step by step.
class SrFile::Opener {
public:
    explicit Opener(SrFile& file) : file_(file) {}

    void open() {
        open_archive();
        check_version();
        read_description();
        take_rate();
        take_unitsize();
        take_channels();
        find_chunks();
        count_samples();
    }

private:
    void open_archive() {
        int error = 0;
        zip_t* zip = zip_open(file_.path_.c_str(), ZIP_RDONLY, &error);
        if (zip != nullptr) {
            file_.archive_ = std::make_unique<Archive>(zip);
            return;
        }
        std::error_code missing;
        if (!std::filesystem::exists(file_.path_, missing)) file_.refuse("there is no such file", "look at its path");
        if (error == ZIP_ER_NOZIP)
            file_.refuse("it is no sigrok session: not a zip archive",
                         "a capture saved by PulseView or sigrok-cli is one");
        zip_error_t detail;
        zip_error_init_with_code(&detail, error);
        const std::string why = zip_error_strerror(&detail);
        zip_error_fini(&detail);
        file_.refuse(fmt::format("the session's archive cannot be read: {}", why), "take or copy the capture again");
    }

    [[nodiscard]] std::optional<zip_stat_t> stat(const std::string& name) const {
        zip_stat_t stat;
        if (zip_stat(file_.archive_->zip, name.c_str(), 0, &stat) != 0) return std::nullopt;
        if ((stat.valid & ZIP_STAT_SIZE) == 0 || (stat.valid & ZIP_STAT_COMP_SIZE) == 0) return std::nullopt;
        return stat;
    }

    [[nodiscard]] std::string read_small(const std::string& name) const {
        const auto found = stat(name);
        if (!found)
            file_.refuse(fmt::format("it is no sigrok session: it holds no '{}'", name),
                         "was it saved by PulseView or sigrok-cli?");
        if (found->size > max_description_bytes)
            file_.refuse(fmt::format("its '{}' is {} bytes long, too long to be true", name, found->size),
                         "the file is damaged");
        const Entry entry(zip_fopen_index(file_.archive_->zip, found->index, 0));
        std::string text(found->size, '\0');
        if (!entry || zip_fread(entry.get(), text.data(), text.size()) != static_cast<zip_int64_t>(text.size()))
            file_.refuse(fmt::format("its '{}' is damaged", name), "take or copy the capture again");
        return text;
    }

    void check_version() const {
        const std::string text = read_small("version");
        const auto version = parse_count(trimmed(text.substr(0, text.find('\n'))));
        if (!version || *version < 1 || *version > 2)
            file_.refuse(
                fmt::format("it is a session of version '{}'; 1 and 2 can be read", trimmed(text.substr(0, 16))),
                "save it again with a libsigrok of 0.5");
    }

    void read_description() { description_ = parse_description(read_small("metadata")); }

    void take_rate() const {
        if (description_.rate.empty())
            file_.refuse("it does not say its sample rate, so nothing in it has a time",
                         "capture again with a sample rate set");
        const auto rate = parse_rate(description_.rate);
        if (!rate)
            file_.refuse(fmt::format("its sample rate '{}' is no rate", description_.rate),
                         "expected such as 'samplerate=4 MHz'");
        file_.rate_ = *rate;
    }

    void take_unitsize() const {
        const bool no_logic = description_.capture_file.empty() || description_.probes == std::uint64_t{0};
        if (no_logic && description_.analog > 0)
            file_.refuse("it holds analog channels only", "decoding needs a logic channel");
        if (description_.capture_file.empty())
            file_.refuse("no logic data: it names no capture file", "capture again with a logic channel enabled");
        const std::uint64_t unitsize = description_.unitsize.value_or(0);
        if (unitsize < 1 || unitsize > 8)
            file_.refuse(description_.unitsize ? "its unitsize is not 1 to 8 bytes" : "it does not say its unitsize",
                         "the file is damaged, or was not saved by libsigrok");
        file_.unitsize_ = static_cast<std::size_t>(unitsize);
    }

    void take_channels() const {
        const auto bits = static_cast<unsigned>(8 * file_.unitsize_);
        // Old sessions count the probes that the device could have, not those in a sample.
        const auto count = static_cast<unsigned>(std::min<std::uint64_t>(description_.probes.value_or(bits), bits));
        auto& channels = file_.channels_;
        for (const SrChannel& named : description_.names) {
            if (named.bit >= bits)
                file_.refuse(fmt::format("channel '{}' is bit {}, but a sample has {} bits by its unitsize", named.name,
                                         named.bit, bits),
                             "unitsize and channels do not fit each other: the file is damaged or was written wrongly");
            channels.push_back(named);
        }
        if (channels.empty())
            for (unsigned bit = 0; bit < count; ++bit) channels.push_back({fmt::format("{}", bit), bit});
        std::ranges::sort(channels, {}, &SrChannel::bit);
    }

    void find_chunks() const {
        if (stat(description_.capture_file)) return add_chunk(description_.capture_file);
        for (unsigned number = 1;; ++number) {
            const std::string name = fmt::format("{}-{}", description_.capture_file, number);
            if (!stat(name)) break;
            add_chunk(name);
        }
        if (file_.chunks_.empty())
            file_.refuse(fmt::format("no logic data: '{}' is named but not in the file", description_.capture_file),
                         "capture again; the session was saved without samples");
    }

    void add_chunk(const std::string& name) const {
        const zip_stat_t found = *stat(name);
        if (found.size > max_capture_bytes || found.size / max_expansion > found.comp_size)
            file_.refuse(
                fmt::format("chunk '{}' says {} bytes in {}: that cannot be true", name, found.size, found.comp_size),
                "the file is damaged or made to deceive");
        file_.chunks_.push_back({found.index, found.size, name});
    }

    void count_samples() const {
        std::uint64_t bytes = 0;
        for (const Chunk& chunk : file_.chunks_) bytes += chunk.size;
        if (bytes == 0) file_.refuse("no logic data: its chunks are empty", "capture again");
        if (bytes % file_.unitsize_ != 0)
            file_.refuse(
                fmt::format("its {} bytes of samples are no whole number of {}-byte samples", bytes, file_.unitsize_),
                "the unitsize is wrong, or the capture is cut");
        file_.samples_ = bytes / file_.unitsize_;
    }

    SrFile& file_;
    Description description_;
};

SrFile::SrFile(std::filesystem::path path, Culprit blame) : path_(std::move(path)), blame_(blame) {}
SrFile::SrFile(SrFile&&) noexcept = default;
SrFile& SrFile::operator=(SrFile&&) noexcept = default;
SrFile::~SrFile() = default;

SrFile SrFile::open(const std::filesystem::path& path, Culprit blame) {
    SrFile file(path, blame);
    Opener(file).open();
    return file;
}

void SrFile::refuse(const std::string& what, const std::string& hint) const {
    throw Error(blame_, fmt::format("{}: {}", path_.string(), what), hint, path_.string());
}

const SrChannel& SrFile::channel(std::string_view name) const {
    if (const auto found = std::ranges::find(channels_, name, &SrChannel::name); found != channels_.end())
        return *found;
    const std::string_view digits = name.starts_with('D') ? name.substr(1) : name;
    if (const auto bit = parse_count(digits))
        if (const auto found = std::ranges::find(channels_, *bit, &SrChannel::bit); found != channels_.end())
            return *found;
    std::vector<std::string_view> names;
    for (const SrChannel& channel : channels_) names.push_back(channel.name);
    refuse(fmt::format("it has no channel '{}'", name), fmt::format("its channels are {}", fmt::join(names, ", ")));
}

void SrFile::for_each_block(const std::function<void(std::span<const std::byte>)>& consume) const {
    std::vector<std::byte> buffer(block_bytes);
    for (const Chunk& chunk : chunks_) read_chunk(chunk, buffer, consume);
}

void SrFile::read_chunk(const Chunk& chunk, std::span<std::byte> buffer,
                        const std::function<void(std::span<const std::byte>)>& consume) const {
    const Entry entry(zip_fopen_index(archive_->zip, chunk.index, 0));
    const auto damaged = [&](std::string_view why) {
        refuse(fmt::format("chunk '{}' is damaged: {}", chunk.name, why), "take or copy the capture again");
    };
    if (!entry) damaged(zip_strerror(archive_->zip));
    std::uint64_t seen = 0;
    for (;;) {
        const zip_int64_t count = zip_fread(entry.get(), buffer.data(), buffer.size());
        if (count < 0) damaged(zip_file_strerror(entry.get()));
        if (count == 0) break;
        seen += static_cast<std::uint64_t>(count);
        if (seen > chunk.size) damaged("it holds more than it says");
        consume(buffer.first(static_cast<std::size_t>(count)));
    }
    if (seen != chunk.size) damaged(fmt::format("it says {} bytes and holds {}", chunk.size, seen));
}

}  // namespace rig::evidence
