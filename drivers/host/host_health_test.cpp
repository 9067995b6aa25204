// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/host/host_health.hpp"

#include "tests/folder.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace drivers {
namespace {

namespace fs = std::filesystem;
using rig::health::Mark;

class HostHealthTest : public testing::Test {
protected:
    HostHealthTest() {
        fs::create_directories(paths_.firmware.front());
        fs::create_directories(paths_.proc / "17");
        station_.console.line = rig::lab::UsbLine{"A10LK5HT", ""};
        station_.analyzer.sigrok = "fx2lafw";
    }
    void run_program(const std::string& name) const { std::ofstream(paths_.proc / "17/comm") << name << "\n"; }
    void install_firmware() const { std::ofstream(paths_.firmware.front() / "fx2lafw-sigrok-fx2-8ch.fw") << "x"; }

    rig::tests::Folder folder_;
    HostPaths paths_{.proc = folder_.path() / "proc", .firmware = {folder_.path() / "firmware"}};
    rig::lab::Station station_;
};

TEST_F(HostHealthTest, AHostThatIsReadyHasNothingBad) {
    run_program("bash");
    install_firmware();
    const auto findings = judge_host(station_, paths_);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].mark, Mark::good);
}

TEST_F(HostHealthTest, MissingFirmwareIsBadAndNamesItsPackage) {
    const auto findings = judge_host(station_, paths_);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].mark, Mark::bad);
    EXPECT_NE(findings[0].hint.find("sigrok-firmware-fx2lafw"), std::string::npos);
}

TEST_F(HostHealthTest, ProgramsThatTakeAdaptersAreNamedWhereThereIsOne) {
    install_firmware();
    for (const std::string name : {"ModemManager", "brltty"}) {
        run_program(name);
        const auto findings = judge_host(station_, paths_);
        ASSERT_EQ(findings.size(), 2U);
        EXPECT_NE(findings[0].what.find(name + " runs"), std::string::npos) << findings[0].what;
    }
    station_.console.line = rig::lab::UnixLine{"/run/board"};
    EXPECT_EQ(judge_host(station_, paths_).size(), 1U);
}

}  // namespace
}  // namespace drivers
