// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/engine/engine.hpp"
#include "rig/lab/station.hpp"

#include <memory>

#include <boost/asio/io_context.hpp>

namespace rig::cli {

/// The instruments of a station, made and owned. This is the one list of drivers: a new one is added in its .cpp.
class Bench {
public:
    /// Starts a virtual bench where the station has one. The io_context must outlive it.
    Bench(boost::asio::io_context& io, const lab::Station& station);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    [[nodiscard]] engine::Instruments instruments();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace rig::cli
