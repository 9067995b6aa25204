// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/edges.hpp"

#include "rig/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace rig::wire {

namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t stride_words = 4;

std::uint64_t little_endian(std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    return word;
}

std::uint64_t load_word(const std::byte* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, word_bytes);
    return little_endian(word);
}

std::uint64_t load_part(const std::byte* from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return little_endian(word);
}

}  // namespace

EdgeScanner::EdgeScanner(std::size_t unitsize, unsigned bit)
    : unitsize_(unitsize), unit_bit_(0), units_per_word_(0), mask_(0) {
    if (unitsize < 1 || unitsize > word_bytes)
        throw RigError(fmt::format("a logic sample of {} bytes cannot be scanned; 1 to 8 are possible", unitsize));
    if (bit >= 8 * unitsize)
        throw RigError(fmt::format("bit {} lies outside a logic sample of {} byte(s)", bit, unitsize));
    unit_bit_ = std::uint64_t{1} << bit;
    units_per_word_ = word_bytes / unitsize_;
    for (std::size_t unit = 0; unit < units_per_word_; ++unit) mask_ |= unit_bit_ << (8 * unit * unitsize_);
}

void EdgeScanner::begin(std::uint64_t first_unit) {
    initial_ = (first_unit & unit_bit_) != 0 ? Level::high : Level::low;
    expected_ = initial_ == Level::high ? mask_ : 0;
}

void EdgeScanner::flip_at(std::uint64_t sample) {
    expected_ ^= mask_;
    edges_.push_back({SampleIndex{sample}, expected_ != 0 ? Level::high : Level::low});
}

void EdgeScanner::scan_word(std::uint64_t word, std::size_t units) {
    const std::size_t unit_bits = 8 * unitsize_;
    std::uint64_t valid = mask_;
    if (units * unitsize_ < word_bytes) valid &= (std::uint64_t{1} << (units * unit_bits)) - 1;
    std::uint64_t differing = (word ^ expected_) & valid;
    while (differing != 0) {
        const auto unit = static_cast<std::size_t>(std::countr_zero(differing)) / unit_bits;
        flip_at(samples_ + unit);
        // From this unit on the other level is the expected one; the units before it are done.
        const std::uint64_t from_here = ~((std::uint64_t{1} << (unit * unit_bits)) - 1);
        differing = (word ^ expected_) & valid & from_here;
    }
    samples_ += units;
}

void EdgeScanner::scan(std::span<const std::byte> whole_units) {
    const std::byte* at = whole_units.data();
    std::size_t left = whole_units.size();
    if (left == 0) return;
    if (samples_ == 0) begin(load_part(at, unitsize_));
    // A word holds whole units only; with unit sizes that do not divide it, its last bytes are read and masked away.
    const std::size_t step = units_per_word_ * unitsize_;
    const std::size_t stride = (stride_words - 1) * step + word_bytes;
    while (left >= word_bytes) {
        while (left >= stride) {
            const std::uint64_t differing =
                ((load_word(at) ^ expected_) | (load_word(at + step) ^ expected_) |
                 (load_word(at + 2 * step) ^ expected_) | (load_word(at + 3 * step) ^ expected_)) &
                mask_;
            if (differing != 0) break;
            at += stride_words * step;
            left -= stride_words * step;
            samples_ += stride_words * units_per_word_;
        }
        if (left < word_bytes) break;
        scan_word(load_word(at), units_per_word_);
        at += step;
        left -= step;
    }
    while (left > 0) {
        const std::size_t units = std::min(left / unitsize_, units_per_word_);
        scan_word(load_part(at, units * unitsize_), units);
        at += units * unitsize_;
        left -= units * unitsize_;
    }
}

std::size_t EdgeScanner::complete_carried_unit(std::span<const std::byte> block) {
    if (carried_ == 0) return 0;
    const std::size_t taken = std::min(unitsize_ - carried_, block.size());
    std::copy_n(block.begin(), taken, carry_.begin() + static_cast<std::ptrdiff_t>(carried_));
    carried_ += taken;
    if (carried_ == unitsize_) {
        carried_ = 0;
        scan(std::span(carry_).first(unitsize_));
    }
    return taken;
}

void EdgeScanner::feed(std::span<const std::byte> block) {
    block = block.subspan(complete_carried_unit(block));
    const std::size_t rest = block.size() % unitsize_;
    scan(block.first(block.size() - rest));
    if (rest == 0) return;
    std::ranges::copy(block.last(rest), carry_.begin());
    carried_ = rest;
}

std::vector<Edge> EdgeScanner::take_edges() {
    return std::exchange(edges_, {});
}

Trace EdgeScanner::finish(SampleRate rate) && {
    if (carried_ != 0)
        throw BenchError(fmt::format("the capture ends inside a sample: {} of its {} bytes came", carried_, unitsize_),
                         "the capture is cut short, or its sample size is not what it says");
    return Trace{rate, samples_, initial_, std::move(edges_)};
}

}  // namespace rig::wire
