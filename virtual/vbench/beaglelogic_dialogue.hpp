// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vbench {

/// What a client has set on a BeagleLogic.
struct BeagleLogicSettings {
    /// Samples per second.
    std::uint32_t samplerate = 1'000'000;
    /// 1: a sample is one byte; 0: two.
    std::uint32_t sampleunit = 1;
    /// Bytes of capture memory. libsigrok 0.5.2 ends a capture at this many bytes and an `int` holds its copy, so a
    /// large value that fits an `int` is offered.
    std::uint32_t memalloc = 1U << 30;
    /// Bytes per buffer. libsigrok 0.5.2 waits 100 ms + bufunitsize·1000/samplerate ms for data, in 32 bits.
    std::uint32_t bufunitsize = 4U << 20;
    /// 1: continuous; 0: one shot.
    std::uint32_t triggerflags = 0;
};

/// One client's dialogue with the BeagleLogic server, without any I/O: bytes go in, actions come out. The language is
/// that of libsigrok 0.5.2 (src/hardware/beaglelogic/beaglelogic_tcp.c): a line is a command, alone to read a setting
/// or with a number to set it; a reply is the number, or `ok`.
class BeagleLogicDialogue {
public:
    struct Reply {
        std::string text;
    };
    /// Samples shall flow from now on.
    struct Start {};
    /// No more samples.
    struct Stop {};
    /// The client does not speak this language: close its connection.
    struct HangUp {};
    using Action = std::variant<Reply, Start, Stop, HangUp>;

    /// Takes the next bytes from the client, split anywhere. NUL bytes are passed over: libsigrok may send them after a
    /// command's text.
    std::vector<Action> take(std::string_view bytes);

    [[nodiscard]] const BeagleLogicSettings& settings() const { return settings_; }

    static constexpr std::uint32_t slowest_rate = 10;
    static constexpr std::uint32_t fastest_rate = 100'000'000;

private:
    Action answer(std::string_view line);
    Action set(std::string_view name, std::string_view value);

    BeagleLogicSettings settings_;
    std::string line_;
};

}  // namespace vbench
