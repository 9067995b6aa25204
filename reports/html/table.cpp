// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/table.hpp"

namespace rig::reports {
namespace {

Writer::Element open_body(Writer& page, std::string_view caption, std::initializer_list<Column> columns) {
    page.leaf("caption", caption);
    {
        const auto head = page.open("thead");
        const auto row = page.open("tr");
        for (const auto& column : columns)
            page.leaf("th", {{"scope", "col"}, {"class", column.align == Align::number ? "n" : "t"}}, column.head);
    }
    return page.open("tbody");
}

}  // namespace

Table::Table(Writer& page, Literal name, std::string_view caption, std::initializer_list<Column> columns)
    : page_(page),
      // A box that scrolls must be reachable by keyboard, and named.
      box_(page.open("div", {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", name.text()}})),
      table_(page.open("table")),
      body_(open_body(page, caption, columns)) {}

Writer::Element Table::row(Literal kind) {
    return kind.text().empty() ? page_.open("tr") : page_.open("tr", {{"class", kind.text()}});
}

Writer::Element Table::row(const Anchor& anchor, Literal kind) {
    return page_.open("tr", {{"id", anchor}, {"class", kind.text()}});
}

void put_text_cell(Writer& page, std::string_view text) {
    page.leaf("td", text);
}

void put_number_cell(Writer& page, std::string_view text) {
    page.leaf("td", {{"class", "n"}}, text);
}

void put_figure_cell(Writer& page, const std::optional<Figure>& figure, const Unit& unit, int most_decimals) {
    const auto cell = page.open("td", {{"class", "n"}});
    if (!figure) return page.text("—");
    const auto halves = figure_halves(*figure, unit, most_decimals);
    page.text(halves.value);
    if (!halves.expanded.empty()) page.leaf("small", " ± " + halves.expanded);
}

void put_row_head(Writer& page, std::string_view text) {
    page.leaf("th", {{"scope", "row"}}, text);
}

}  // namespace rig::reports
