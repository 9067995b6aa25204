// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/console/kernel_log.hpp"

#include <gtest/gtest.h>

namespace rig::console {
namespace {

using namespace std::chrono_literals;

TEST(KernelLog, ARecordIsItsPrefixItsTextAndItsLineEnding) {
    const std::string_view bytes = "~ # sync\r\n[    3.250001] test 0badcafe some words\r\n~ # ";
    const auto record = find_record(bytes, "test 0badcafe ").value();
    EXPECT_EQ(bytes.substr(record.begin, record.end - record.begin), "[    3.250001] test 0badcafe some words\r\n");
    EXPECT_EQ(record.text, "test 0badcafe some words");
    EXPECT_EQ(record.time.value().time_since_epoch(), 3250001us);
}

TEST(KernelLog, TheEchoOfTheCommandIsNotTheRecord) {
    const std::string_view bytes = "~ # echo nonce=0badcafe > /proc/printk_test\r\n";
    EXPECT_FALSE(find_record(bytes, "test 0badcafe "));
}

TEST(KernelLog, ARecordThatBeganInTheMiddleOfARowIsFoundByItsPrefix) {
    const std::string_view bytes = "~ # ec[    3.250001] test 0badcafe x\r\nho";
    EXPECT_EQ(find_record(bytes, "test 0badcafe ").value().begin, 6U);
}

TEST(KernelLog, LevelCallerAndNanosecondTimesArePartOfThePrefix) {
    const std::string_view bytes = "<3>[  602.623812123][    T1] test aa x\n";
    const auto record = find_record(bytes, "test aa ").value();
    EXPECT_EQ(record.begin, 0U);
    EXPECT_EQ(record.time.value().time_since_epoch(), 602623812123ns);
}

TEST(KernelLog, WithoutAPrintkTimeThereIsNone) {
    const auto record = find_record("test aa x\r\n", "test aa ").value();
    EXPECT_FALSE(record.time);
    EXPECT_EQ(record.begin, 0U);
}

TEST(KernelLog, ARecordWhoseLineEndingHasNotComeIsNotYetARecord) {
    EXPECT_FALSE(find_record("[    3.250001] test aa half of it", "test aa "));
}

TEST(KernelLog, BytesAboveAsciiStayBytes) {
    const auto record = find_record("test aa \xff\x80\r\n", "test aa ").value();
    EXPECT_EQ(record.text, "test aa \xff\x80");
}

TEST(KernelLog, AnIntervalIsReadInNanosecondsAndTicks) {
    const auto found = find_interval("[ 2296.377637] interval=24573237, jiffies=1\r\n", 0).value();
    EXPECT_EQ(found.interval, 24573237ns);
    EXPECT_EQ(found.jiffies.count, 1);
}

TEST(KernelLog, AnIntervalOfALaterRecordIsNotTaken) {
    const std::string_view bytes = "test aa x\r\nshort aa y\r\ninterval=5, jiffies=1\r\n";
    EXPECT_FALSE(find_interval(bytes, 11, 11));
}

TEST(KernelLog, APanicIsNoticed) {
    EXPECT_EQ(find_death("ok\r\n[    1.0000] Kernel panic - not syncing: Fatal\r\n").value(),
              "Kernel panic - not syncing: Fatal");
    EXPECT_FALSE(find_death("all is well\r\n"));
    EXPECT_FALSE(find_death("[    9.1] BUG: sleeping function called from invalid context\r\n"));
    EXPECT_FALSE(find_death("[    9.1] rcu: INFO: rcu_sched self-detected stall on CPU\r\n"));
}

TEST(KernelLog, AKernelThatBootsIsNoticed) {
    const std::string_view log = "~ # sync\r\n[    0.000000] Linux version 6.1.0 (gcc)\r\n";
    EXPECT_TRUE(finds_boot(log, 0));
    EXPECT_FALSE(finds_boot(log, log.size()));
    EXPECT_TRUE(finds_boot("Booting Linux on physical CPU 0x0\r\n", 0));
    EXPECT_FALSE(finds_boot("Linux version 6.1.0 (gcc)\r\n", 0));
}

TEST(KernelLog, WordsOfDeathInTheMiddleOfALineAreSomebodysCommand) {
    EXPECT_FALSE(find_death("~ # echo \"<2>Internal error: Oops: 17\" >/dev/kmsg\r\n"));
    EXPECT_TRUE(find_death("~ # echo \"Oops: x\"\r\n[    3.100000] Internal error: Oops: 17 [#1] ARM\r\n"));
    EXPECT_TRUE(find_death("Kernel panic - not syncing: no init\r\n"));
    EXPECT_TRUE(find_death("~ # [    3.100000] Kernel panic - not syncing: no init\r\n"));
}

}  // namespace
}  // namespace rig::console
