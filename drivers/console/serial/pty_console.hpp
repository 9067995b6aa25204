// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "drivers/console/stream_console.hpp"

#include <string>

#include <boost/asio/posix/stream_descriptor.hpp>

namespace drivers {

/// A console on the far end of a pseudo terminal, as an emulator offers it: `console: { pty: /dev/pts/3 }`. It has no
/// rate: what paces it is behind it.
class PtyConsole final : public StreamConsole<boost::asio::posix::stream_descriptor> {
public:
    PtyConsole(const boost::asio::any_io_executor& executor, std::string path);

    rig::device::awaitable<void> open(rig::device::Deadline deadline) override;
    [[nodiscard]] std::string describe() const override { return "pty:" + path_; }

private:
    std::string path_;
};

}  // namespace drivers
