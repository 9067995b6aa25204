// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "unique_fd.hpp"

namespace vbench {

/// The guest's UART: a unix socket pair that has as little room as the kernel allows.
///
/// The guest's end plays the part of the UART's transmit FIFO. Linux charges each one-byte write some 750 bytes of
/// SO_SNDBUF, and does not let that shrink below 4.5 KiB, so about six bytes fit before a write blocks. QEMU's PL011
/// then blocks the virtual CPU, as a full FIFO does a polled driver. The pacing does not rest on that: the pace is set
/// by the pacer, which takes one byte per frame time, whoever keeps the bytes that wait.
struct UartSocket {
    UniqueFd pacer_end;
    UniqueFd guest_end;
    /// How many bytes the guest can write ahead of the wire; measured on this pair.
    int slack_bytes;

    /// Makes a pair and measures its room. Throws BenchTrouble when the system has no socket to give.
    static UartSocket open();
};

}  // namespace vbench
