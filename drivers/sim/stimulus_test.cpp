// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/sim/stimulus.hpp"

#include <gtest/gtest.h>

namespace rig::sim::stimulus {
namespace {

TEST(Stimulus, ARecordHasTheLengthAskedFor) {
    for (const std::size_t length : {14U, 16U, 64U, 256U, 900U}) {
        const auto text = record_text("c0ffee01", length);
        EXPECT_EQ(text.size(), length);
        EXPECT_TRUE(text.starts_with("test c0ffee01"));
    }
}

TEST(Stimulus, TheRecordOfSyncKeepsItsLengthWhenThePrefixGrows) {
    EXPECT_EQ(sync_text("0", 15).size() + 15 + 2, 274U);
    EXPECT_EQ(sync_text("0", 16).size() + 16 + 2, 274U);
    EXPECT_EQ(short_text("c0ffee01").size() + 15 + 2, 70U);
}

TEST(Stimulus, ARequestNamesLengthCountAndNonceInAnyOrder) {
    const auto request = parse("count=3 nonce=ab12 length=64", "00000000").value();
    EXPECT_EQ(request.length.value(), 64U);
    EXPECT_EQ(request.count, 3U);
    EXPECT_EQ(request.nonce.value(), "ab12");
    EXPECT_EQ(parse("nonce=ab12", "00000000").value().length, std::nullopt);
}

TEST(Stimulus, WhatThePatchRefusesIsRefused) {
    for (const char* text :
         {"", "length=", "length=x", "length=13", "length=901", "length=64 count=0", "count=1001 length=64", "count=3",
          "nonce=xyz", "nonce=", "nonce=00112233445566778", "length=64 size=1", "64"})
        EXPECT_FALSE(parse(text, "00000000")) << text;
}

TEST(Stimulus, TheShortestRecordHoldsItsNonceAndNoMore) {
    EXPECT_TRUE(parse("length=7 nonce=a", "00000000"));
    EXPECT_FALSE(parse("length=6 nonce=a", "00000000"));
    EXPECT_TRUE(parse("length=7", "a"));
}

}  // namespace
}  // namespace rig::sim::stimulus
