// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rig/error.hpp"
#include "rig/time/quantity.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

/// Reading the YAML that people write: every value knows its place, every key must be known, and every error is one
/// sentence that begins with file:line:column.
namespace rig::yaml {

class Node;
struct Entry;

/// One `--set PATH=VALUE` of the command line: PATH is dotted keys ("console.baud"), list items by index
/// ("cases.0.trials").
struct Override {
    std::string path;
    std::string value;

    /// Splits "console.baud=9600"; a PlanError when there is no '='.
    static Override parse(std::string_view text);
};

/// A YAML document in memory. Cheap to copy (shared).
class Document {
public:
    /// Reads a file; a PlanError when it cannot be read or is not YAML.
    static Document load(const std::filesystem::path& path);
    /// The same for text that is already here; `name` stands for the file in messages.
    static Document parse(std::string text, std::string name);

    [[nodiscard]] Node root() const;
    /// The text as it was read.
    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] const std::string& name() const;

    /// A copy with one value put in place (created where its parent is a mapping). Errors about it name the option.
    [[nodiscard]] Document with(const Override& change) const;

private:
    friend class Node;
    struct State;
    explicit Document(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

/// One value of a document with its place. Each reader gives the value or throws a PlanError naming the place.
class Node {
public:
    [[nodiscard]] bool is_map() const;
    [[nodiscard]] bool is_list() const;
    [[nodiscard]] bool is_scalar() const;

    [[nodiscard]] std::string as_string() const;
    /// One line of text: not empty, without control characters.
    [[nodiscard]] std::string as_line() const;
    [[nodiscard]] std::uint64_t as_count(std::uint64_t least, std::uint64_t most) const;
    [[nodiscard]] std::int64_t as_integer() const;
    [[nodiscard]] std::chrono::nanoseconds as_duration() const;
    [[nodiscard]] std::uint64_t as_frequency() const;
    [[nodiscard]] double as_ratio() const;
    [[nodiscard]] Tolerance as_tolerance() const;
    /// One of `names`; the index of it.
    [[nodiscard]] std::size_t as_one_of(const std::vector<std::string_view>& names) const;
    [[nodiscard]] std::vector<Node> as_list() const;
    /// The entries of a mapping in the order written; a key given twice is refused.
    [[nodiscard]] std::vector<Entry> as_entries() const;

    /// "file:line:column", or the --set option that put the value there.
    [[nodiscard]] std::string place() const;
    /// Dotted path from the document's root.
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Throws a PlanError "place: path what (hint)".
    [[noreturn]] void fail(std::string_view what, std::string hint = {}) const;
    /// The subtree as YAML text of its own.
    [[nodiscard]] std::string emit() const;

private:
    friend class Document;
    Node(std::shared_ptr<const Document::State> document, const YAML::Node& node, std::string path);
    template <class T>
    T value_or_fail(const std::expected<T, std::string>& parsed) const;

    std::shared_ptr<const Document::State> document_;
    std::shared_ptr<const YAML::Node> node_;
    std::string path_;
};

/// One key of a mapping: its name, its value, and where the key itself stands.
struct Entry {
    std::string name;
    Node value;
    std::string place;
};

/// Reads a mapping key by key; `done()` refuses every key that nobody asked for, naming the nearest known one.
class Map {
public:
    /// A PlanError as of Node::as_entries().
    explicit Map(const Node& node);

    [[nodiscard]] std::optional<Node> find(std::string_view key);
    [[nodiscard]] Node require(std::string_view key, std::string_view example);
    void done() const;
    [[nodiscard]] const Node& node() const { return node_; }

private:
    Node node_;
    std::vector<Entry> entries_;
    std::vector<std::string> known_;
};

}  // namespace rig::yaml
