// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/source.hpp"
#include "rig/error.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace rig::capture {

namespace {

/// More names than these are no help on a terminal.
constexpr std::size_t listed_channels = 32;

/// "D3" or "3" → 3.
std::optional<unsigned> bit_of(std::string_view name) {
    if (name.starts_with('D')) name.remove_prefix(1);
    unsigned bit = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), bit);
    if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return bit;
}

std::string list_of(std::span<const Channel> channels) {
    std::string list;
    for (const Channel& channel : channels.first(std::min(channels.size(), listed_channels)))
        list += (list.empty() ? "" : ", ") + channel.name;
    if (channels.size() > listed_channels) list += fmt::format(" and {} more", channels.size() - listed_channels);
    return list;
}

}  // namespace

std::size_t find_channel(std::span<const Channel> channels, std::string_view name, std::string_view path) {
    auto found = std::ranges::find(channels, name, &Channel::name);
    if (found == channels.end())
        if (const auto bit = bit_of(name)) found = std::ranges::find(channels, *bit, &Channel::bit);
    if (found != channels.end()) return static_cast<std::size_t>(found - channels.begin());
    throw PlanError(fmt::format("{}: has no channel '{}'", path, name),
                    fmt::format("its channels are: {}", list_of(channels)));
}

}  // namespace rig::capture
