// SPDX-License-Identifier: GPL-3.0-or-later
// A guest for the tests of rig-vbench, run in QEMU's place. Its UART is standard input and output, and it writes QEMU's
// log lines for a PL061 to descriptor 3. Over the UART it takes lines:
//   print N   raises the marker, writes N bytes (the last two CR LF), lowers the marker
//   exit N    ends with that code
// and it begins by writing its process number: "pid N\r\n".

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace {

constexpr int log = 3;

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), 1);
        if (written <= 0) std::exit(EXIT_FAILURE);
        text.remove_prefix(1);
    }
}

void log_line(std::string_view event) {
    const auto time =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
    const std::string line =
        fmt::format("{}@{}.{:06}:{}\n", ::getpid(), time.count() / 1'000'000, time.count() % 1'000'000, event);
    [[maybe_unused]] const ssize_t written = ::write(log, line.data(), line.size());
}

void write_register(unsigned offset, unsigned value) {
    log_line(fmt::format("pl061_write /machine/unattached/device[15] offset {:#x} value {:#x}", offset, value));
}

void print(std::size_t length) {
    std::string text;
    while (text.size() + 2 < length) text.push_back(static_cast<char>('a' + text.size() % 26));
    write_register(0x4, 1);
    write_all(STDOUT_FILENO, text + "\r\n");
    write_register(0x4, 0);
}

void obey(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    std::size_t number = 0;
    words >> command >> number;
    if (command == "print") print(number);
    if (command == "exit") std::exit(static_cast<int>(number));
}

}  // namespace

int main() {
    log_line("pl061_reset /machine/unattached/device[16] reset");
    log_line("pl061_reset /machine/unattached/device[15] reset");
    write_register(0x400, 1);
    write_all(STDOUT_FILENO, fmt::format("pid {}\r\n", ::getpid()));
    std::string line;
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) == 1) {
        if (byte != '\n') {
            line.push_back(byte);
        } else {
            obey(std::exchange(line, {}));
        }
    }
    return EXIT_SUCCESS;
}
