// SPDX-License-Identifier: GPL-3.0-or-later
// The top of the page: verdict, the picture of the worst trial, the numbers to quote.
#include "reports/html/scale.hpp"
#include "reports/html/sections.hpp"
#include "reports/html/wire_picture.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::reports {
namespace {

/// Who has to act, in words.
std::string_view culprit_text(std::string_view culprit) {
    if (culprit == "dut") return "the board under test";
    if (culprit == "bench") return "the bench: console, analyzer, power or disk";
    if (culprit == "plan") return "the plan, the lab file or the command line";
    if (culprit == "rig") return "rig itself";
    return culprit;
}

std::string class_of(Outcome outcome) {
    return fmt::format("badge {}", name_of(outcome));
}

void write_meta(Writer& page, const PageSource& source) {
    const auto line = page.open("p", {{"class", "meta"}});
    const auto put = [&](std::string_view name, std::string_view value) {
        if (value.empty()) return;
        const auto item = page.open("span");
        page.leaf("b", name);
        page.text(" ");
        page.text(value);
    };
    put("when", source.run.environment_value("started"));
    put("culprit", culprit_text(source.run.culprit));
    put("trials", fmt::format("{} attempted, {} certified", source.run.attempted, source.run.certified));
    put("rig", source.run.environment_value("rig"));
}

struct Headline {
    std::string name;
    std::string number;
    std::string under;
};

Headline longest_section(const RunView& run) {
    const auto* worst = run.worst_trial();
    if (worst == nullptr) return {"Longest IRQ-off", "—", "no certified trial"};
    if (!worst->irq_off_s) {
        const auto why = std::ranges::find(worst->missing, "irq_off", [](const auto& m) { return m.first; });
        return {"Longest IRQ-off", "—", why == worst->missing.end() ? "the target gave no figure" : why->second};
    }
    const auto* section = worst->longest_section();
    return {"Longest IRQ-off", typeset(duration_text(*worst->irq_off_s)),
            fmt::format("{}trial {} (case {})",
                        section == nullptr ? "" : fmt::format("in {}, ", elide(visible_text(section->site), 60)),
                        worst->trial, worst->place())};
}

Headline lost_ticks(const RunView& run) {
    const auto* worst = run.worst_trial();
    if (worst == nullptr) return {"Lost ticks", "—", "no certified trial"};
    if (!worst->lost_ticks) return {"Lost ticks", "—", "the target's counters gave no figure"};
    const auto halves = figure_halves(*worst->lost_ticks, ticks, 1);
    Headline line{"Lost ticks", fmt::format("{} ± {}", halves.value, halves.expanded), ""};
    if (worst->expected_ticks) line.number += fmt::format(" of {:.1f}", worst->expected_ticks->value);
    line.under = fmt::format("trial {}", worst->trial);
    if (worst->jiffies) line.under += fmt::format(", {} came", *worst->jiffies);
    if (worst->model_lost_ticks)
        line.under +=
            fmt::format("; the model says {} to {}", worst->model_lost_ticks->first, worst->model_lost_ticks->second);
    if (worst->hz) line.under += fmt::format("; HZ = {}", *worst->hz);
    return line;
}

Headline cost_per_character(const RunView& run) {
    const auto* fit = run.headline_fit();
    if (fit == nullptr)
        return {"Cost per character", "—", "nothing was fitted: too few lengths, or no certified trial"};
    Headline line{"Cost per character", typeset(duration_text(fit->slope_s_per_frame)),
                  fmt::format("slope of {} over frames, case {}", fit->of, fit->case_name)};
    if (const auto* worst = run.worst_trial(); worst != nullptr && worst->baud_hz && worst->baud_hz->value > 0)
        line.under += fmt::format(
            "; one frame is {}",
            typeset(duration_text(Figure{10 / worst->baud_hz->value,
                                         10 * worst->baud_hz->u / (worst->baud_hz->value * worst->baud_hz->value)})));
    return line;
}

void write_headlines(Writer& page, const RunView& run) {
    const auto list = page.open("dl", {{"class", "headlines"}});
    for (const auto& line : {longest_section(run), lost_ticks(run), cost_per_character(run)}) {
        const auto group = page.open("div");
        page.leaf("dt", line.name);
        page.leaf("dd", {{"class", "figure"}}, line.number);
        page.leaf("dd", {{"class", "under"}}, line.under);
    }
}

void write_legend(Writer& page, const Scene& scene) {
    const auto legend = page.open("p", {{"class", "legend"}});
    const auto item = [&](Literal kind, std::string_view text) {
        const auto entry = page.open("span");
        page.leaf("i", {{"class", kind.text()}, {"aria-hidden", "true"}}, "");
        page.text(text);
    };
    item("key wire", "light: the line was at both levels within a pixel; dark: its mean level");
    if (scene.main_section() != nullptr)
        item("key irq", scene.mark == SharedMark::marker_pulse
                            ? "interrupts off, as the target reports; laid on the wire's time by the marker pulse, "
                              "which both sides see"
                            : "interrupts off, as the target reports; aligned at the first start bit: no shared mark");
    if (scene.marker) item("key mark", "marker pin, as the analyzer sees it");
    if (!scene.tick_marks.empty()) {
        item("key hollow", "tick due and lost");
        item("key solid",
             "tick that was counted, late; the tick's phase is not measured, ticks are drawn about the middle of the "
             "section");
    }
}

void write_stretch(Writer& page, const Scene& scene, Stretch stretch, std::string_view caption) {
    const auto figure = page.open("figure");
    if (stretch != Stretch::whole_record) page.leaf("h3", caption);
    const auto box =
        page.open("div", {{"class", "scroll drawing"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption}});
    draw_scene(page, scene, stretch);
}

std::string decoded_record(const Scene& scene) {
    std::string bytes;
    for (const auto& character : scene.characters) bytes += static_cast<char>(character.value);
    return bytes;
}

void write_decoded(Writer& page, const Scene& scene) {
    const auto details = page.open("details");
    page.leaf("summary", fmt::format("The record as decoded from the wire, {} characters", scene.characters.size()));
    page.leaf("pre", {{"class", "wrap"}}, decoded_record(scene));
}

std::string end_sentence(const Scene& scene) {
    const auto distance = end_distance(scene);
    if (!distance) return {};
    const auto unit = unit_for(*distance);
    return typeset(fmt::format("Interrupts came back {} {} {} the end of the last stop bit: {}.",
                               short_number(std::abs(*distance) * unit.factor, 1), unit.name,
                               *distance < 0 ? "before" : "after",
                               *distance < 0 ? "what was then still on its way lay in the UART's FIFO"
                                             : "the UART was waited for until it was empty"));
}

void write_scene(Writer& page, const PageSource& source, const Scene& scene) {
    write_stretch(page, scene, Stretch::whole_record, "The whole record");
    write_legend(page, scene);
    write_headlines(page, source.run);
    write_stretch(page, scene, Stretch::first_frames, "The first frames, bit by bit");
    write_stretch(
        page, scene, Stretch::last_frames,
        scene.main_section() == nullptr ? "The last frames" : "The last frames and the end of the IRQ-off section");
    const auto sentence = end_sentence(scene);
    page.leaf("p", {{"class", "note"}}, "Tinted: start bits. " + sentence);
    write_decoded(page, scene);
}

std::string picture_heading(const PageSource& source, const TrialView* trial) {
    if (trial == nullptr) return "No trial";
    if (source.run.worst_trial() == nullptr)
        return fmt::format("No trial is certified; trial {} was rejected", trial->trial);
    return fmt::format("The worst certified trial: {} (case {})", trial->trial, trial->place());
}

}  // namespace

const TrialView* shown_trial(const RunView& run) {
    if (const auto* worst = run.worst_trial()) return worst;
    const auto found =
        std::ranges::find_if(run.trials, [](const TrialView& t) { return t.record_on_wire && !t.capture.empty(); });
    if (found != run.trials.end()) return &*found;
    return run.trials.empty() ? nullptr : &run.trials.front();
}

void put_badge(Writer& page, Outcome outcome) {
    const auto badge = page.open("span", {{"class", class_of(outcome)}});
    page.leaf("span", {{"aria-hidden", "true"}}, sign_of(outcome));
    page.text(" ");
    page.text(name_of(outcome));
}

void write_masthead(Writer& page, const PageSource& source) {
    const auto header = page.open("header");
    {
        const auto title = page.open("h1");
        put_badge(page, source.run.verdict);
        page.leaf("span", fmt::format(" {} @ {}", source.run.plan, source.run.station));
    }
    page.leaf("p", {{"class", "cause"}}, typeset(source.run.cause));
    if (!source.run.hint.empty()) page.leaf("p", {{"class", "hint"}}, typeset("Hint: " + source.run.hint));
    if (const auto& failure = source.bundle.failure(); failure && !failure->hint.empty())
        page.leaf("p", {{"class", "hint"}}, "What to try: " + failure->hint);
    write_meta(page, source);
}

void write_picture(Writer& page, const PageSource& source) {
    const auto section = page.open("section", {{"id", Anchor("picture")}});
    const auto* trial = shown_trial(source.run);
    page.leaf("h2", picture_heading(source, trial));
    if (trial == nullptr) return page.leaf("p", {{"class", "nothing"}}, "The run ended before its first trial.");
    if (!trial->certified) page.leaf("p", {{"class", "note"}}, typeset(trial->why));
    const auto scene = read_scene(source.bundle, *trial);
    if (scene) return write_scene(page, source, *scene);
    page.leaf("p", {{"class", "nothing"}}, "There is no picture of the wire: " + scene.error() + ".");
    write_headlines(page, source.run);
}

}  // namespace rig::reports
