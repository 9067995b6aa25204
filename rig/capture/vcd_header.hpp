// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/capture/sample_grid.hpp"
#include "rig/capture/source.hpp"
#include "rig/capture/vcd_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rig::capture {

/// What a Value Change Dump declares: its unit of time, and its variables as channels.
class VcdHeader {
public:
    /// Where a channel's level is found: a digit, from the right, of the values of a signal.
    struct Place {
        std::size_t signal = 0;
        std::size_t bit = 0;
        std::size_t scope = 0;  ///< the scope it was declared in; 0 is none
    };

    /// Takes a command of the header; skips one that says nothing.
    void take(std::string_view command, VcdWords& words);
    /// Ends the header: gives channels that share a name their scopes.
    void finish(const std::filesystem::path& path);

    /// The signal of an identifier; several variables may share one.
    [[nodiscard]] std::optional<std::size_t> signal(std::string_view id) const;
    [[nodiscard]] std::size_t signals() const { return signals_.size(); }
    [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    /// $timescale; 0 when there is none.
    [[nodiscard]] Femtoseconds unit() const { return unit_; }
    /// The sample rate that libsigrok states in a comment.
    [[nodiscard]] std::optional<SampleRate> stated_rate() const { return stated_rate_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    struct Scope {
        std::size_t parent = 0;
        std::size_t depth = 0;
        std::string name;
    };
    struct Variable;

    void take_timescale(VcdWords& words);
    void take_scope(VcdWords& words);
    void take_variable(VcdWords& words);
    void take_comment(VcdWords& words);
    void add(const Variable& variable, VcdWords& words);
    [[nodiscard]] std::string path_of(std::size_t scope) const;

    Femtoseconds unit_ = 0;
    std::optional<SampleRate> stated_rate_;
    std::vector<Scope> scopes_{Scope{}};
    std::size_t scope_ = 0;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> signals_;
    std::vector<Channel> channels_;
    std::vector<Place> places_;
    std::size_t variables_ = 0;
    std::size_t name_bytes_ = 0;
};

}  // namespace rig::capture
