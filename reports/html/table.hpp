// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/html/markup.hpp"
#include "reports/model/figure_text.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace rig::reports {

enum class Align { text, number };

struct Column {
    std::string_view head;
    Align align = Align::text;
};

/// A table that scrolls in a box of its own, so that the page never does. It ends with its scope.
class Table {
public:
    Table(Writer& page, Literal name, std::string_view caption, std::initializer_list<Column> columns);

    /// Begins a row; `kind` is a class of the style sheet.
    [[nodiscard]] Writer::Element row(Literal kind = "");
    [[nodiscard]] Writer::Element row(const Anchor& anchor, Literal kind);

private:
    Writer& page_;
    Writer::Element box_;
    Writer::Element table_;
    Writer::Element body_;
};

/// Cells of the row that is open.
void put_text_cell(Writer& page, std::string_view text);
void put_number_cell(Writer& page, std::string_view text);
/// A measured figure with its expanded uncertainty; — where there is none.
void put_figure_cell(Writer& page, const std::optional<Figure>& figure, const Unit& unit, int most_decimals = 4);
/// The cell that names the row.
void put_row_head(Writer& page, std::string_view text);

}  // namespace rig::reports
