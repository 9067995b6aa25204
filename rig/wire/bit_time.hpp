// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/time/units.hpp"
#include "rig/wire/edges.hpp"
#include "rig/wire/uart.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rig::wire {

/// The bit time of a line on the analyzer's clock (whose own error is not in the uncertainties), by least squares over
/// the edges of its frames.
struct BitTimeFit {
    double bit_ps = 0;
    double u_ps = 0;  ///< standard uncertainty
    double baud = 0;  ///< 10^12 / bit_ps
    double u_baud = 0;
    double residual_rms_ps = 0;  ///< edges about the fitted grid, freedom counted; 0 when nothing is left over
    double sample_period_ps = 0;
    double mark_delay_ps = 0;         ///< how much later edges to mark come than edges to space; 0 unless significant
    std::size_t edges = 0;            ///< edges fitted, start edges included
    std::size_t frames = 0;           ///< frames fitted
    std::size_t frames_left_out = 0;  ///< frames that are no clean character: framing errors, glitches, off their grid
    std::size_t chains = 0;           ///< runs of back-to-back frames that shared one origin

    /// Deviation from a nominal rate in parts per million; positive: the line is faster.
    [[nodiscard]] double ppm_from(Baud nominal) const;
};

/// Fits the bit time of the frames of a trace. Frames of a back-to-back run share one origin, since each start edge is
/// exactly one frame after the one before; a gap, a slip, or a distance that does not fit ends the run. The uncertainty
/// is the larger of what sampling allows (period/√12 per edge) and what the scatter shows; when the samples fall in
/// step with the bits, it covers every bit time that the same samples would have shown.
///
/// `frames` must be of `trace`, in order. Nothing when no frame can be used (none, or all with errors or glitches).
std::optional<BitTimeFit> fit_bit_time(const Trace& trace, std::span<const Frame> frames, const UartFormat& format);

/// A decoding at the line's own bit time.
struct FittedDecode {
    Decoded decoded;
    std::optional<BitTimeFit> fit;  ///< nothing when the frames do not lie on one grid
};

/// Decodes at the nominal bit time, fits the line's own, and decodes again with that when it is another one (within
/// 5 %: what is further off is no inaccurate clock but another rate, and stays as told).
FittedDecode decode_fitted(const Trace& trace, picoseconds nominal, const UartFormat& format);

}  // namespace rig::wire
