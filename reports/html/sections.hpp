// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/run_view.hpp"
#include "rig/evidence/bundle.hpp"
#include "rig/plan/plan.hpp"

#include <optional>
#include <vector>

/// The sections of the page, from top to bottom. Each writes itself whole, or says what it lacks.
namespace rig::reports {

/// What every section may draw from.
struct PageSource {
    const RunView& run;
    const evidence::Bundle& bundle;
    const std::optional<plan::Plan>& plan;  ///< as used; none when the bundle's copy cannot be read
};

void write_masthead(Writer& page, const PageSource& source);
void write_picture(Writer& page, const PageSource& source);
void write_evidence_base(Writer& page, const PageSource& source);
void write_checks(Writer& page, const PageSource& source);
void write_fits(Writer& page, const PageSource& source);
void write_points(Writer& page, const PageSource& source);
void write_trials(Writer& page, const PageSource& source);
void write_sites(Writer& page, const PageSource& source);
void write_certificate(Writer& page, const PageSource& source);
void write_environment(Writer& page, const PageSource& source);
void write_console(Writer& page, const PageSource& source);
void write_files(Writer& page, const PageSource& source);

/// The trial that the page shows in full: the worst certified one; where none is certified, the first one that has a
/// capture, else the first. Null when there is no trial.
const TrialView* shown_trial(const RunView& run);

/// A word with its sign, as a badge.
void put_badge(Writer& page, Outcome outcome);

}  // namespace rig::reports
