// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/model/visible_text.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// The only way in which the report's page is written. Markup can come from string literals of our own source alone
/// (consteval constructors see to it); everything else can only become text or the value of an attribute, made visible
/// and escaped here. Elements close themselves, so that the page is well formed, as HTML and as XML.
namespace rig::reports {

/// Our own markup, as it stands in the source.
class Literal {
public:
    template <std::size_t N>
    consteval Literal(const char (&text)[N]) : text_(text, N - 1) {}  // NOLINT: implicit by design
    [[nodiscard]] constexpr std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

/// The name of an element. Elements that run, load or submit something do not compile.
class ElementName {
public:
    template <std::size_t N>
    consteval ElementName(const char (&text)[N]) : text_(text, N - 1) {  // NOLINT: implicit by design
        for (const std::string_view refused : {"script", "style", "iframe", "object", "embed", "link", "base", "form",
                                               "image", "img", "use", "foreignObject", "a", "meta"})
            if (text_ == refused) throw "this element is not written by name";
    }
    [[nodiscard]] constexpr std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

/// The name of an attribute. Attributes that run, load or style something do not compile.
class AttributeName {
public:
    template <std::size_t N>
    consteval AttributeName(const char (&text)[N]) : text_(text, N - 1) {  // NOLINT: implicit by design
        if (text_.starts_with("on")) throw "no event handlers";
        for (const std::string_view refused : {"style", "href", "src", "srcset", "srcdoc", "action", "formaction",
                                               "data", "xlink:href", "http-equiv", "background", "poster"})
            if (text_ == refused) throw "this attribute is not written by name";
    }
    [[nodiscard]] constexpr std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

/// A place on the page that can be linked to. Made of our own word and a number: nothing foreign gets in.
class Anchor {
public:
    explicit Anchor(Literal word) : id_(word.text()) {}
    Anchor(Literal word, std::uint64_t number) : id_(std::string(word.text()) + std::to_string(number)) {}
    [[nodiscard]] const std::string& id() const { return id_; }

private:
    std::string id_;
};

/// The value of an attribute: text of any origin, or a number.
class AttributeValue {
public:
    AttributeValue(std::string_view text) : text_(text) {}         // NOLINT: implicit by design
    AttributeValue(const std::string& text) : text_(text) {}       // NOLINT: implicit by design
    AttributeValue(const char* text) : text_(text) {}              // NOLINT: implicit by design
    AttributeValue(const Anchor& anchor) : text_(anchor.id()) {}   // NOLINT: implicit by design
    AttributeValue(double number);                                 // NOLINT: implicit by design
    AttributeValue(int number) : text_(std::to_string(number)) {}  // NOLINT: implicit by design
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct Attribute {
    AttributeName name;
    AttributeValue value;
};
using Attributes = std::initializer_list<Attribute>;

/// Writes a page. Not thread-safe.
class Writer {
public:
    /// An open element; it ends with its scope. Elements must end in the opposite order of their beginning, as scopes
    /// do.
    class [[nodiscard]] Element {
    public:
        Element(const Element&) = delete;
        Element& operator=(const Element&) = delete;
        ~Element();

    private:
        friend class Writer;
        Element(Writer& writer, std::string_view name) : writer_(writer), name_(name) {}
        Writer& writer_;
        std::string_view name_;
    };

    Element open(ElementName name, Attributes attributes = {});
    /// A link within the page.
    Element open_link(const Anchor& to);
    /// An element without content.
    void empty(ElementName name, Attributes attributes = {});
    /// An element that holds a text.
    void leaf(ElementName name, std::string_view content);
    void leaf(ElementName name, Attributes attributes, std::string_view content);

    /// A text of any origin on one line.
    void text(std::string_view bytes);
    /// A text of any origin whose line ends are kept.
    void lines(std::string_view bytes, TextBound bound);
    /// Our own markup.
    void literal(Literal markup) { page_ += markup.text(); }

    [[nodiscard]] std::size_t size() const { return page_.size(); }
    [[nodiscard]] std::string take() && { return std::move(page_); }

private:
    void begin(std::string_view name, Attributes attributes);
    void append_escaped(std::string_view clean);

    std::string page_;
};

/// The path of an SVG drawing: numbers only. Coordinates are rounded to a tenth.
class Path {
public:
    Path& move_to(double x, double y);
    Path& line_to(double x, double y);
    Path& horizontal_to(double x);
    Path& vertical_to(double y);
    Path& close();
    /// A dot: a stroke without length, which round caps make visible.
    Path& dot(double x, double y);
    /// A square about a point.
    Path& square(double x, double y, double half);
    /// An × about a point.
    Path& cross(double x, double y, double half);

    [[nodiscard]] bool empty() const { return text_.empty(); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    void put(char command, std::initializer_list<double> numbers);
    std::string text_;
};

}  // namespace rig::reports
