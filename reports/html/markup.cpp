// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/markup.hpp"

#include "reports/model/figure_text.hpp"

#include <cmath>

namespace rig::reports {
namespace {

/// An attribute holds paths of thousands of points of our own as well as foreign text: those are bounded where they
/// are written.
constexpr TextBound attribute_bound{1, 4'000'000};

}  // namespace

AttributeValue::AttributeValue(double number) : text_(std::isfinite(number) ? short_number(number, 2) : "0") {}

Writer::Element::~Element() {
    writer_.page_ += "</";
    writer_.page_ += name_;
    writer_.page_ += '>';
}

void Writer::append_escaped(std::string_view clean) {
    for (const char c : clean) {
        switch (c) {
            case '&':
                page_ += "&amp;";
                break;
            case '<':
                page_ += "&lt;";
                break;
            case '>':
                page_ += "&gt;";
                break;
            case '"':
                page_ += "&quot;";
                break;
            case '\'':
                page_ += "&#39;";
                break;
            default:
                page_ += c;
        }
    }
}

void Writer::begin(std::string_view name, Attributes attributes) {
    page_ += '<';
    page_ += name;
    for (const auto& attribute : attributes) {
        page_ += ' ';
        page_ += attribute.name.text();
        page_ += "=\"";
        append_escaped(visible_text(attribute.value.text(), attribute_bound));
        page_ += '"';
    }
}

Writer::Element Writer::open(ElementName name, Attributes attributes) {
    begin(name.text(), attributes);
    page_ += '>';
    return {*this, name.text()};
}

Writer::Element Writer::open_link(const Anchor& to) {
    page_ += "<a href=\"#";
    append_escaped(to.id());
    page_ += "\">";
    return {*this, "a"};
}

void Writer::empty(ElementName name, Attributes attributes) {
    begin(name.text(), attributes);
    page_ += " />";
}

void Writer::leaf(ElementName name, std::string_view content) {
    const auto element = open(name);
    text(content);
}

void Writer::leaf(ElementName name, Attributes attributes, std::string_view content) {
    const auto element = open(name, attributes);
    text(content);
}

void Writer::text(std::string_view bytes) {
    append_escaped(visible_text(bytes));
}

void Writer::lines(std::string_view bytes, TextBound bound) {
    append_escaped(visible_text(bytes, bound));
}

Path& Path::move_to(double x, double y) {
    return put('M', {x, y}), *this;
}
Path& Path::line_to(double x, double y) {
    return put('L', {x, y}), *this;
}
Path& Path::horizontal_to(double x) {
    return put('H', {x}), *this;
}
Path& Path::vertical_to(double y) {
    return put('V', {y}), *this;
}

Path& Path::close() {
    text_ += 'Z';
    return *this;
}

Path& Path::dot(double x, double y) {
    move_to(x, y);
    text_ += "h0";
    return *this;
}

Path& Path::square(double x, double y, double half) {
    return move_to(x - half, y - half).horizontal_to(x + half).vertical_to(y + half).horizontal_to(x - half).close();
}

Path& Path::cross(double x, double y, double half) {
    return move_to(x - half, y - half)
        .line_to(x + half, y + half)
        .move_to(x - half, y + half)
        .line_to(x + half, y - half);
}

void Path::put(char command, std::initializer_list<double> numbers) {
    text_ += command;
    bool first = true;
    for (const double number : numbers) {
        if (!first) text_ += ' ';
        first = false;
        text_ += std::isfinite(number) ? short_number(number, 1) : "0";
    }
}

}  // namespace rig::reports
