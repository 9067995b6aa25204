// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/line_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace rig::reports {
namespace {

using Changes = std::span<const Line::Change>;

/// Edges closer than this cannot be told apart on the page.
constexpr double least_pixels_per_edge = 2.5;

struct Part {
    bool high = true;  ///< level where the part begins
    double begin_s = 0;
    double end_s = 0;
    Changes changes;  ///< within the part
};

Part part_of(const Line& line, const Scale& x) {
    const double begin = std::max(x.from, line.begin_s);
    const double end = std::min(x.to, line.end_s);
    const auto first = std::ranges::upper_bound(line.changes, begin, {}, &Line::Change::at_s);
    const auto last = std::ranges::lower_bound(first, line.changes.end(), end, {}, &Line::Change::at_s);
    const bool high = first == line.changes.begin() ? line.initially_high : std::prev(first)->high;
    return {high, begin, end, Changes(first, last)};
}

void draw_edges(LineDrawing& drawing, const Part& part, const Scale& x, double y_high, double y_low) {
    const auto y = [&](bool high) { return high ? y_high : y_low; };
    drawing.level.move_to(x(part.begin_s), y(part.high));
    for (const auto& change : part.changes) drawing.level.horizontal_to(x(change.at_s)).vertical_to(y(change.high));
    drawing.level.horizontal_to(x(part.end_s));
}

/// One pixel's width of the line.
struct Column {
    double high_share = 0;
    bool moved = false;
};

std::vector<Column> columns_of(const Part& part, const Scale& x, std::size_t count) {
    std::vector<Column> columns(count);
    const double left = x(part.begin_s);
    bool high = part.high;
    double at = 0;
    // Spreads a stretch at one level over the columns it lies in.
    const auto spread = [&](double to) {
        to = std::clamp(to, at, static_cast<double>(count));
        while (at < to) {
            const auto column = std::min(static_cast<std::size_t>(at), count - 1);
            const double until = std::min(to, static_cast<double>(column + 1));
            if (high) columns[column].high_share += until - at;
            if (until <= at) break;
            at = until;
        }
    };
    for (const auto& change : part.changes) {
        const double to = x(change.at_s) - left;
        spread(to);
        columns[std::min(static_cast<std::size_t>(std::max(to, 0.0)), count - 1)].moved = true;
        high = change.high;
    }
    spread(static_cast<double>(count));
    return columns;
}

void draw_envelope(LineDrawing& drawing, const Part& part, const Scale& x, double y_high, double y_low) {
    const double left = x(part.begin_s);
    const auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(x(part.end_s) - left)));
    const auto columns = columns_of(part, x, count);
    std::size_t i = 0;
    while (i < count) {
        std::size_t end = i;
        while (end < count && columns[end].moved == columns[i].moved &&
               (columns[i].moved || (columns[end].high_share > 0.5) == (columns[i].high_share > 0.5)))
            ++end;
        const double from = left + static_cast<double>(i);
        const double to = left + static_cast<double>(end);
        if (columns[i].moved) {
            drawing.envelope.move_to(from, y_high).horizontal_to(to).vertical_to(y_low).horizontal_to(from).close();
            for (std::size_t c = i; c < end; ++c) {
                const double mid = left + static_cast<double>(c) + 0.5;
                const double y = y_low + (y_high - y_low) * std::min(columns[c].high_share, 1.0);
                if (c == i)
                    drawing.mean.move_to(mid, y);
                else
                    drawing.mean.line_to(mid, y);
            }
        } else {
            drawing.level.move_to(from, columns[i].high_share > 0.5 ? y_high : y_low).horizontal_to(to);
        }
        i = end;
    }
}

}  // namespace

LineDrawing draw_line(const Line& line, const Scale& x, double y_high, double y_low) {
    LineDrawing drawing;
    const auto part = part_of(line, x);
    if (part.end_s <= part.begin_s) return drawing;
    const double pixels = x(part.end_s) - x(part.begin_s);
    const bool dense = static_cast<double>(part.changes.size()) * least_pixels_per_edge > pixels;
    if (dense)
        draw_envelope(drawing, part, x, y_high, y_low);
    else
        draw_edges(drawing, part, x, y_high, y_low);
    return drawing;
}

}  // namespace rig::reports
