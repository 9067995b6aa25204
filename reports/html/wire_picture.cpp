// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/wire_picture.hpp"

#include "reports/html/line_drawing.hpp"
#include "reports/html/scale.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace rig::reports {
namespace {

constexpr double width = 1120;
constexpr double left = 76;
constexpr double right = width - 14;

constexpr double axis_y = 14;
constexpr double grid_top = 20;
constexpr double text_y = 42;
constexpr double code_y = 55;  // the character's code, where single bits are shown
constexpr double tx_high = 66;
constexpr double tx_low = 98;
constexpr double span_y = 116;
constexpr double irq_top = 132;
constexpr double irq_bottom = 154;
constexpr double marker_high = 168;
constexpr double marker_low = 188;
constexpr double ticks_y = 212;
constexpr double grid_bottom = 226;
constexpr double height = 230;

constexpr double text_advance = 6.65;  // of the 11 px monospaced font
constexpr double label_advance = 6.6;  // of the 12 px text font, on the safe side
constexpr double frames_shown = 12;
constexpr double last_frames_shown = 8;
constexpr double farthest_end_frames = 16;  // a section's end farther from the last stop bit is told, not drawn

double frame_s(const Scene& scene) {
    return 10 * scene.bit_s;
}

struct Window {
    double begin_s;
    double end_s;
};

Window whole_window(const Scene& scene) {
    Window window{0, scene.record_end_s};
    const auto include = [&](double begin, double end) {
        // A section that lasts far longer than its record would squeeze the record: it is drawn as going on.
        window.begin_s = std::min(window.begin_s, std::max(begin, -0.5 * scene.record_end_s));
        window.end_s = std::max(window.end_s, std::min(end, 1.5 * scene.record_end_s));
    };
    if (const auto* section = scene.main_section()) include(section->begin_s, section->end_s);
    if (scene.marker_pulse) include(scene.marker_pulse->begin_s, scene.marker_pulse->end_s);
    const double margin = 0.02 * (window.end_s - window.begin_s);
    return {window.begin_s - margin, window.end_s + margin};
}

Window last_window(const Scene& scene) {
    const double frame = frame_s(scene);
    Window window{scene.record_end_s - (last_frames_shown + 0.5) * frame, scene.record_end_s + frame};
    const auto distance = end_distance(scene);
    if (!distance || std::abs(*distance) > farthest_end_frames * frame) return window;
    window.begin_s = std::min(window.begin_s, scene.record_end_s + *distance - frame);
    window.end_s = std::max(window.end_s, scene.record_end_s + *distance + frame);
    return window;
}

Window window_of(const Scene& scene, Stretch stretch) {
    const double frame = frame_s(scene);
    switch (stretch) {
        case Stretch::whole_record:
            return whole_window(scene);
        case Stretch::first_frames: {
            const auto* section = scene.main_section();
            const bool near = section != nullptr && section->begin_s < 0 && section->begin_s > -4 * frame;
            return {(near ? section->begin_s : 0) - frame, frames_shown * frame + frame / 4};
        }
        case Stretch::last_frames:
            return last_window(scene);
    }
    return whole_window(scene);
}

/// Everything that a row needs to draw itself.
struct Canvas {
    Writer& page;
    const Scene& scene;
    Stretch stretch;
    Scale x;

    [[nodiscard]] double clamped(double at_s) const { return x(std::clamp(at_s, x.from, x.to)); }
    [[nodiscard]] bool shows(double begin_s, double end_s) const { return end_s >= x.from && begin_s <= x.to; }
};

void put_text(Canvas& canvas, Literal kind, double x, double y, std::string_view text) {
    canvas.page.leaf("text", {{"class", kind.text()}, {"x", x}, {"y", y}}, text);
}

void draw_axis(Canvas& canvas) {
    const auto unit = unit_for((canvas.x.to - canvas.x.from) / 2);
    Path grid;
    for (const auto& mark : axis_marks(canvas.x.from, canvas.x.to, 9, unit)) {
        const double at = canvas.x(mark.value);
        grid.move_to(at, grid_top).vertical_to(grid_bottom);
        put_text(canvas, "axis", at, axis_y, mark.label);
    }
    canvas.page.empty("path", {{"class", "grid"}, {"d", grid.text()}});
    put_text(canvas, "row", 0, axis_y, fmt::format("time, {}", page_unit(unit)));
}

void draw_bounds(Canvas& canvas) {
    Path bounds;
    for (const double at : {0.0, canvas.scene.record_end_s}) {
        if (canvas.shows(at, at)) bounds.move_to(canvas.x(at), grid_top).vertical_to(grid_bottom);
    }
    if (!bounds.empty()) canvas.page.empty("path", {{"class", "bound"}, {"d", bounds.text()}});
}

std::string bytes_of(const Scene& scene, std::size_t from, std::size_t count) {
    std::string bytes;
    for (std::size_t i = from; i < std::min(from + count, scene.characters.size()); ++i)
        bytes += static_cast<char>(scene.characters[i].value);
    return bytes;
}

/// The record's beginning and end, as much of each as the width has room for.
void draw_record_text(Canvas& canvas) {
    const auto& scene = canvas.scene;
    const double begin = canvas.x(0);
    const double end = canvas.x(scene.record_end_s);
    const std::size_t count = scene.characters.size();
    const auto room = static_cast<std::size_t>(std::max(0.0, (end - begin) / text_advance));
    if (count <= room) return put_text(canvas, "wiretext", begin, text_y, bytes_of(scene, 0, count));
    const std::string middle = fmt::format("⋯ {} more ⋯", count);
    const std::size_t half = room > display_width(middle) + 8 ? (room - display_width(middle) - 6) / 2 : 0;
    put_text(canvas, "wiretext", begin, text_y, bytes_of(scene, 0, half));
    put_text(canvas, "wiretext last", end, text_y, bytes_of(scene, count - half, half));
    put_text(canvas, "elided", (begin + end) / 2, text_y, fmt::format("⋯ {} more ⋯", count - 2 * half));
}

/// A character as one glyph, so that each stands above its frame.
std::string glyph_of(const Character& character) {
    if (character.value == ' ') return "␣";
    return visible_text(std::string(1, static_cast<char>(character.value)));
}

void draw_characters(Canvas& canvas) {
    Path cells;
    Path start_bits;
    const double bit = canvas.scene.bit_s;
    for (const auto& character : canvas.scene.characters) {
        if (character.begin_s < canvas.x.from || character.end_s > canvas.x.to) continue;
        const double middle = canvas.x((character.begin_s + character.end_s) / 2);
        cells.move_to(canvas.x(character.begin_s), text_y - 12).vertical_to(tx_low + 4);
        start_bits.move_to(canvas.x(character.begin_s), tx_high)
            .horizontal_to(canvas.x(character.begin_s + bit))
            .vertical_to(tx_low)
            .horizontal_to(canvas.x(character.begin_s))
            .close();
        canvas.page.leaf("text", {{"class", character.broken ? "glyph broken" : "glyph"}, {"x", middle}, {"y", text_y}},
                         glyph_of(character) + (character.broken ? "!" : ""));
        put_text(canvas, "code", middle, code_y, fmt::format("{:02X}", character.value));
    }
    canvas.page.empty("path", {{"class", "startbit"}, {"d", start_bits.text()}});
    canvas.page.empty("path", {{"class", "cell"}, {"d", cells.text()}});
}

void draw_logic(Canvas& canvas, const Line& line, Literal kind, double y_high, double y_low) {
    const auto drawing = draw_line(line, canvas.x, y_high, y_low);
    const auto group = canvas.page.open("g", {{"class", kind.text()}});
    const auto put = [&](Literal name, const Path& path) {
        if (!path.empty()) canvas.page.empty("path", {{"class", name.text()}, {"d", path.text()}});
    };
    put("envelope", drawing.envelope);
    put("mean", drawing.mean);
    put("level", drawing.level);
}

/// A label in a bar when it has room there, else beside it.
void put_bar_label(Canvas& canvas, double from, double to, double y, std::string_view text) {
    const double needed = static_cast<double>(display_width(text)) * label_advance + 12;
    if (to - from >= needed) return put_text(canvas, "inbar", (from + to) / 2, y, text);
    if (to + needed <= right) return put_text(canvas, "beside", to + 7, y, text);
    if (from - needed >= left) return put_text(canvas, "beside last", from - 7, y, text);
    put_text(canvas, "inbar", (left + right) / 2, y, text);
}

std::string section_label(const PlacedSection& placed, const std::optional<Figure>& figure) {
    const auto& section = *placed.section;
    std::string label = elide(visible_text(section.site), 40);
    if (section.cpu) label += fmt::format(" · CPU {}", *section.cpu);
    label += " · " + typeset(duration_text(figure.value_or(Figure{section.duration_s, 0})));
    return label;
}

void put_absent(Canvas& canvas, double y, std::string_view why) {
    put_text(canvas, "absent", left + 6, y, why);
}

std::string why_missing(const TrialView& trial, std::string_view account) {
    for (const auto& [name, why] : trial.missing) {
        if (name == account) return elide(visible_text(why), 150);
    }
    return "no figure";
}

void draw_sections(Canvas& canvas) {
    constexpr double text_offset = 15;
    if (canvas.scene.sections.empty())
        return put_absent(canvas, irq_top + text_offset, why_missing(*canvas.scene.trial, "irq_off"));
    for (const auto& placed : canvas.scene.sections) {
        if (!canvas.shows(placed.begin_s, placed.end_s)) continue;
        const bool main = &placed == canvas.scene.main_section();
        const double from = canvas.clamped(placed.begin_s);
        const double to = std::max(canvas.clamped(placed.end_s), from + 1);
        canvas.page.empty("rect", {{"class", main ? "irqoff" : "irqoff other"},
                                   {"x", from},
                                   {"y", irq_top},
                                   {"width", to - from},
                                   {"height", irq_bottom - irq_top}});
        Path ends;
        if (placed.begin_s >= canvas.x.from) ends.move_to(from, irq_top).vertical_to(irq_bottom);
        if (placed.end_s <= canvas.x.to) ends.move_to(to, irq_top).vertical_to(irq_bottom);
        if (main && !ends.empty()) canvas.page.empty("path", {{"class", "irqend"}, {"d", ends.text()}});
        if (main)
            put_bar_label(canvas, from, to, irq_top + text_offset,
                          section_label(placed, canvas.scene.trial->irq_off_s));
    }
}

void draw_marker(Canvas& canvas) {
    if (!canvas.scene.marker) return put_absent(canvas, marker_low - 5, why_missing(*canvas.scene.trial, "marker"));
    draw_logic(canvas, *canvas.scene.marker, "marker", marker_high, marker_low);
    const auto& pulse = canvas.scene.marker_pulse;
    const auto& figure = canvas.scene.trial->marker_s;
    if (!pulse || !figure || !canvas.shows(pulse->begin_s, pulse->end_s)) return;
    put_bar_label(canvas, canvas.clamped(pulse->begin_s), canvas.clamped(pulse->end_s), marker_low - 5,
                  typeset(duration_text(*figure)));
}

std::string why_no_ticks(const Scene& scene) {
    if (!scene.trial->hz || !scene.trial->lost_ticks) return why_missing(*scene.trial, "jiffies");
    if (scene.main_section() == nullptr) return "no IRQ-off section in which they could be placed";
    return "none was due in the section";
}

void draw_ticks(Canvas& canvas) {
    if (canvas.scene.tick_marks.empty()) return put_absent(canvas, ticks_y + 4, why_no_ticks(canvas.scene));
    constexpr double radius = 4;
    for (const auto& mark : canvas.scene.tick_marks) {
        if (!canvas.shows(mark.at_s, mark.at_s)) continue;
        canvas.page.empty("circle", {{"class", mark.fate == TickFate::lost ? "tick lost" : "tick came"},
                                     {"cx", canvas.x(mark.at_s)},
                                     {"cy", ticks_y},
                                     {"r", radius}});
    }
}

/// A measured distance between two times, with a line from one to the other.
void draw_distance(Canvas& canvas, double from_s, double to_s, std::string_view text) {
    const double from = canvas.clamped(std::min(from_s, to_s));
    const double to = canvas.clamped(std::max(from_s, to_s));
    Path line;
    line.move_to(from, span_y).horizontal_to(to);
    line.move_to(from, span_y - 4).vertical_to(span_y + 4).move_to(to, span_y - 4).vertical_to(span_y + 4);
    canvas.page.empty("path", {{"class", "distance"}, {"d", line.text()}});
    const double needed = static_cast<double>(display_width(text)) * label_advance + 16;
    if (to - from > needed) {
        canvas.page.empty("rect", {{"class", "knockout"},
                                   {"x", (from + to - needed) / 2},
                                   {"y", span_y - 8},
                                   {"width", needed},
                                   {"height", 16}});
        return put_text(canvas, "inbar", (from + to) / 2, span_y + 4, text);
    }
    if (to + needed <= right) return put_text(canvas, "beside", to + 7, span_y + 4, text);
    put_text(canvas, "beside last", from - 7, span_y + 4, text);
}

void draw_record_span(Canvas& canvas) {
    const auto& trial = *canvas.scene.trial;
    if (!trial.wire_s) return;
    std::string text = "wire " + typeset(duration_text(*trial.wire_s));
    if (trial.frames) text += fmt::format(", {} frames", *trial.frames);
    if (trial.baud_hz)
        text += fmt::format(" at {} baud", count_text(static_cast<std::uint64_t>(std::llround(trial.baud_hz->value))));
    draw_distance(canvas, 0, canvas.scene.record_end_s, text);
}

std::string how_far(double distance_s) {
    const auto unit = unit_for(distance_s);
    return short_number(std::abs(distance_s) * unit.factor, 1) + " " + page_unit(unit);
}

void draw_distances(Canvas& canvas) {
    const auto* section = canvas.scene.main_section();
    if (canvas.stretch == Stretch::whole_record) return draw_record_span(canvas);
    if (section == nullptr) return;
    if (canvas.stretch == Stretch::first_frames && section->begin_s != 0 &&
        canvas.shows(section->begin_s, section->begin_s))
        return draw_distance(canvas, 0, section->begin_s,
                             fmt::format("IRQs off {} {} the first start bit", how_far(section->begin_s),
                                         section->begin_s < 0 ? "before" : "after"));
    const auto distance = end_distance(canvas.scene);
    if (canvas.stretch == Stretch::last_frames && distance && canvas.shows(section->end_s, section->end_s))
        draw_distance(canvas, canvas.scene.record_end_s, section->end_s,
                      fmt::format("IRQs back on {} {} the last stop bit", how_far(*distance),
                                  *distance < 0 ? "before" : "after"));
}

struct Words {
    std::string title;
    std::string description;
};

Words words_for(const Scene& scene, Stretch stretch) {
    const auto& trial = *scene.trial;
    Words words;
    switch (stretch) {
        case Stretch::whole_record:
            words.title = fmt::format("Trial {}: the whole record on the wire", trial.trial);
            break;
        case Stretch::first_frames:
            words.title = fmt::format("Trial {}: the first frames, bit by bit", trial.trial);
            break;
        case Stretch::last_frames:
            words.title = fmt::format("Trial {}: the last frames and the end of the IRQ-off section", trial.trial);
            break;
    }
    words.description = fmt::format("The tx line carries {} frames in {}.", scene.characters.size(),
                                    trial.wire_s ? typeset(duration_text(*trial.wire_s)) : "an unknown time");
    if (trial.irq_off_s && scene.main_section() != nullptr)
        words.description += fmt::format(" Interrupts are off for {} in {}.", typeset(duration_text(*trial.irq_off_s)),
                                         elide(visible_text(scene.main_section()->section->site), 60));
    if (trial.marker_s)
        words.description += fmt::format(" The marker is high for {}.", typeset(duration_text(*trial.marker_s)));
    if (trial.lost_ticks) words.description += fmt::format(" {} are lost.", figure_text(*trial.lost_ticks, ticks));
    return words;
}

void draw_rows(Canvas& canvas) {
    draw_axis(canvas);
    put_text(canvas, "row", 0, text_y, "decoded");
    put_text(canvas, "row", 0, (tx_high + tx_low) / 2 + 4, "tx wire");
    put_text(canvas, "row", 0, irq_top + 15, "IRQs off");
    put_text(canvas, "row", 0, marker_low - 5, "marker");
    put_text(canvas, "row", 0, ticks_y + 4, "ticks");
    if (canvas.stretch == Stretch::whole_record)
        draw_record_text(canvas);
    else
        draw_characters(canvas);
    draw_bounds(canvas);
    draw_logic(canvas, canvas.scene.tx, "tx", tx_high, tx_low);
    draw_sections(canvas);
    draw_marker(canvas);
    draw_ticks(canvas);
    draw_distances(canvas);
}

}  // namespace

std::optional<double> end_distance(const Scene& scene) {
    const auto* section = scene.main_section();
    if (section == nullptr) return std::nullopt;
    return section->end_s - scene.record_end_s;
}

void draw_scene(Writer& page, const Scene& scene, Stretch stretch) {
    const auto window = window_of(scene, stretch);
    const auto words = words_for(scene, stretch);
    const auto number = static_cast<std::uint64_t>(stretch);
    const Anchor title("wire-title-", number);
    const Anchor description("wire-text-", number);
    const auto svg = page.open("svg", {{"class", "scene"},
                                       {"viewBox", fmt::format("0 0 {} {}", width, height)},
                                       {"role", "img"},
                                       {"aria-labelledby", title.id() + " " + description.id()}});
    page.leaf("title", {{"id", title}}, words.title);
    page.leaf("desc", {{"id", description}}, words.description);
    Canvas canvas{page, scene, stretch, Scale{window.begin_s, window.end_s, left, right}};
    draw_rows(canvas);
}

}  // namespace rig::reports
