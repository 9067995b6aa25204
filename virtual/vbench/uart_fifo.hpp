// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "time.hpp"
#include "unique_fd.hpp"

namespace vbench {

/// The two ends of a UART's wires that one side holds.
struct UartEnds {
    UniqueFd tx;  ///< the board sends here: the guest writes, the pacer reads
    UniqueFd rx;  ///< the board receives here: the pacer writes, the guest reads

    [[nodiscard]] explicit operator bool() const { return bool(tx); }
    void reset() {
        tx.reset();
        rx.reset();
    }
};

/// The guest's UART with a transmit FIFO of a few bytes, made of two pipes.
///
/// Linux keeps each write to a pipe in packet mode (O_DIRECT, pipe(2)) in a page of its own, so a pipe of N pages holds
/// N one-byte writes before the next one blocks. QEMU's PL011 then holds up the virtual CPU, as a full FIFO does a
/// polled driver. The pacing does not rest on that: the pace is set by the pacer, which takes one byte per frame time,
/// whoever keeps the bytes that wait.
struct UartFifo {
    UartEnds wire;            ///< the pacer's; its descriptors do not block
    UartEnds guest;           ///< the guest's
    UniqueFd guest_tx_again;  ///< shares its flags with the guest's, see wait_when_full
    /// How many bytes the guest can write ahead of the wire; measured on this pipe.
    int depth;

    /// Makes a UART whose FIFO holds `depth` bytes where the system grants it. Throws BenchTrouble when it has no pipe
    /// to give.
    static UartFifo open(int depth);
};

/// Makes the guest's writes wait while the FIFO is full. QEMU makes its end non-blocking when it starts, and tries a
/// full one again every 100 us (qemu_chr_write_buffer in chardev/char.c): too seldom for a fast wire to stay full.
void wait_when_full(const UniqueFd& guest_tx);

/// How deep the FIFO is at a rate: 1, 2, 4, 8 or 16 bytes (16 is the PL011's own, DDI 0183 section 2.4), as many as
/// last no longer on the wire than QEMU needs to come back to a FIFO that was full.
///
/// QEMU's PL011 has no BUSY bit, so the guest takes a line for sent while the FIFO and one more byte are still to go
/// out; each byte less brings the guest's end nearer to the wire's.
int fifo_depth_for(const UartTiming& timing);

}  // namespace vbench
