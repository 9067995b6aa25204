// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/console/serial/serial_ports.hpp"

#include "rig/error.hpp"
#include "tests/folder.hpp"

#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace drivers {
namespace {

namespace fs = std::filesystem;

const std::vector<SerialPort> desk{
    {"/dev/ttyS0", "ttyS0", "", "", ""},
    {"/dev/ttyUSB0", "FT232R", "A10LK5HT", "1-1.4:1.0", "0403:6001"},
    {"/dev/ttyUSB1", "FT4232H", "FT7QUAD", "1-2:1.0", "0403:6011"},
    {"/dev/ttyUSB2", "FT4232H", "FT7QUAD", "1-2:1.1", "0403:6011"},
    {"/dev/ttyUSB3", "CH340", "", "1-3:1.0", "1a86:7523"},
};

std::string refusal(const SerialPortChoice& choice) {
    try {
        return "took " + choose_port(desk, choice).name;
    } catch (const rig::BenchError& error) {
        return error.message();
    }
}

TEST(SerialPorts, AnAdapterIsFoundByItsNumber) {
    EXPECT_EQ(choose_port(desk, {"A10LK5HT", ""}).name, "/dev/ttyUSB0");
}

TEST(SerialPorts, ThePlaceDecidesWhereTheNumberDoesNot) {
    EXPECT_EQ(choose_port(desk, {"FT7QUAD", "1-2:1.1"}).name, "/dev/ttyUSB2");
    EXPECT_EQ(choose_port(desk, {"", "1-3:1.0"}).name, "/dev/ttyUSB3");
    EXPECT_EQ(choose_port(desk, {"GONE", "1-3:1.0"}).name, "/dev/ttyUSB3");
    EXPECT_EQ(choose_port(desk, {"A10LK5HT", "9-9:1.0"}).name, "/dev/ttyUSB0");
}

TEST(SerialPorts, NoneAndMoreThanOneAreRefusedWithWhatIsThere) {
    EXPECT_NE(refusal({"NOBODY", ""})
                  .find("no serial port with USB serial number NOBODY is there (there are "
                        "/dev/ttyUSB0 (serial A10LK5HT, at 1-1.4:1.0)"),
              std::string::npos)
        << refusal({"NOBODY", ""});
    EXPECT_NE(refusal({"FT7QUAD", ""}).find("add or: PLACE"), std::string::npos) << refusal({"FT7QUAD", ""});
    EXPECT_THROW((void)choose_port({}, {"A", ""}), rig::BenchError);
}

TEST(SerialPorts, APlaceIsTheUsbInterfaceInSysfs) {
    const rig::tests::Folder folder;
    const auto device = folder.path() / "devices/pci0000:00/usb1/1-1/1-1.4/1-1.4:1.0/ttyUSB0";
    fs::create_directories(device);
    fs::create_directories(folder.path() / "class/tty/ttyUSB0");
    fs::create_symlink(device, folder.path() / "class/tty/ttyUSB0/device");
    EXPECT_EQ(usb_place_of(folder.path(), "ttyUSB0"), "1-1.4:1.0");
    EXPECT_EQ(usb_place_of(folder.path(), "ttyS9"), "");
}

TEST(SerialPorts, WhoHoldsADeviceIsNamed) {
    const rig::tests::Folder folder;
    const auto path = folder.path() / "port";
    std::ofstream(path) << "x";
    EXPECT_EQ(holders_of(path), "");
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::open(path.c_str(), O_RDONLY);
        [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
        ::pause();
        ::_exit(0);
    }
    char told = 0;
    ASSERT_EQ(::read(ready[0], &told, 1), 1);
    EXPECT_NE(holders_of(path).find("(pid " + std::to_string(child) + ")"), std::string::npos) << holders_of(path);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

}  // namespace
}  // namespace drivers
