// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <vector>

namespace drivers {

/// The sockets that a driver opened, so that they can be taken away from it. libsigrok 0.5.2's BeagleLogic driver
/// drains a socket for as long as it is readable, and one whose peer has closed it always is: it would spin for ever.
class TransportGuard {
public:
    /// Notes the sockets that are open now; those that come later are the driver's. Call on the driver's thread.
    TransportGuard();
    /// Notes the sockets that came since.
    void opened();
    /// Puts a descriptor that is never readable in the place of each of them. The driver's reads then time out. May be
    /// called from any thread while the driver holds its sockets.
    void take_away() const;

private:
    std::set<int> before_;
    std::vector<int> sockets_;
};

}  // namespace drivers
