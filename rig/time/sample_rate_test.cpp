// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/time/sample_rate.hpp"

#include <gtest/gtest.h>

namespace rig {
namespace {

TEST(Rate, IsReadAsProgramsWriteIt) {
    EXPECT_EQ(parse_rate("4 MHz"), SampleRate{4'000'000});
    EXPECT_EQ(parse_rate(" 1.5 MHz "), SampleRate{1'500'000});
    EXPECT_EQ(parse_rate("500 kHz"), SampleRate{500'000});
    EXPECT_EQ(parse_rate("19200"), SampleRate{19'200});
    EXPECT_EQ(parse_rate("1GHz"), SampleRate{1'000'000'000});
    for (const char* none : {"", "MHz", "0", "-1 MHz", "nan", "inf", "1e300 GHz", "0.3 Hz", "1.5 Hz", "4 MB"})
        EXPECT_EQ(parse_rate(none), std::nullopt) << none;
}

}  // namespace
}  // namespace rig
