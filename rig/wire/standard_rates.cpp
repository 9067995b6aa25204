// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/wire/standard_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rig::wire {

namespace {

constexpr std::array rates{Baud{50},      Baud{75},      Baud{110},     Baud{134},     Baud{150},     Baud{200},
                           Baud{300},     Baud{600},     Baud{1200},    Baud{1800},    Baud{2400},    Baud{4800},
                           Baud{9600},    Baud{14400},   Baud{19200},   Baud{28800},   Baud{31250},   Baud{38400},
                           Baud{57600},   Baud{74880},   Baud{76800},   Baud{115200},  Baud{230400},  Baud{250000},
                           Baud{460800},  Baud{500000},  Baud{576000},  Baud{921600},  Baud{1000000}, Baud{1152000},
                           Baud{1500000}, Baud{2000000}, Baud{2500000}, Baud{3000000}, Baud{3500000}, Baud{4000000}};

}  // namespace

std::span<const Baud> standard_rates() {
    return rates;
}

Baud nearest_standard_rate(double baud) {
    return *std::ranges::min_element(rates, {}, [&](Baud rate) { return std::abs(std::log(baud / rate.value)); });
}

}  // namespace rig::wire
