// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rig::target {

/// A console as `/proc/consoles` lists it (fs/proc/consoles.c): `ttyAMA0 -W- (EC p a) 204:64`.
struct Console {
    std::string device;  ///< "ttyAMA0"
    std::string flags;   ///< letters of the parentheses, without blanks

    [[nodiscard]] bool enabled() const { return flags.contains('E'); }
    [[nodiscard]] bool preferred() const { return flags.contains('C'); }
    [[nodiscard]] bool boot() const { return flags.contains('B'); }
    /// Written by a thread of its own, or in an emergency without the console lock (Linux 6.10 and later).
    [[nodiscard]] bool nbcon() const { return flags.contains('N'); }
    /// A UART, and not a screen, a network or a ring of memory.
    [[nodiscard]] bool serial() const;
};

/// The consoles in the order of the file. Lines that are none of it are left out: its width has changed over the years.
std::vector<Console> parse_consoles(std::string_view text);

}  // namespace rig::target
