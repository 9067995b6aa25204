// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/yaml/document.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <ranges>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace rig::yaml {

struct Document::State {
    std::string name;
    std::string text;
    YAML::Node root;
    std::vector<Override> overrides;
};

namespace {

/// What people write is pages of text; a file beyond this is another file, and a pipe may never end.
constexpr std::size_t most_bytes = 1 << 20;

std::string place_of(const std::string& file, const YAML::Mark& mark) {
    if (mark.is_null()) return file;
    return fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

YAML::Node parse_yaml(const std::string& text, const std::string& name) {
    try {
        const auto documents = YAML::LoadAll(text);
        if (documents.size() > 1)
            throw PlanError(fmt::format("{}: a second YAML document begins here", place_of(name, documents[1].Mark())),
                            "one file holds one document: take out the line ---, or make it two files");
        return documents.empty() ? YAML::Node() : documents.front();
    } catch (const YAML::ParserException& error) {
        throw PlanError(fmt::format("{}: not valid YAML: {}", place_of(name, error.mark), error.msg),
                        "check the indentation and the brackets on this line and the one above");
    } catch (const YAML::Exception& error) {
        throw PlanError(fmt::format("{}: not valid YAML: {}", place_of(name, error.mark), error.msg));
    }
}

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> keys;
    while (true) {
        const auto dot = path.find('.');
        keys.emplace_back(path.substr(0, dot));
        if (dot == std::string_view::npos) return keys;
        path.remove_prefix(dot + 1);
    }
}

std::optional<std::size_t> index_of(std::string_view key) {
    std::size_t index = 0;
    const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || rest != key.data() + key.size()) return std::nullopt;
    return index;
}

/// The child that a --set path names, created where its parent is a mapping.
YAML::Node child_of(YAML::Node parent, const std::string& key, const Override& change) {
    if (parent.IsSequence()) {
        const auto index = index_of(key);
        if (index && *index < parent.size()) return parent[*index];
        throw PlanError(fmt::format("--set {}: there is no item '{}' in a list of {}", change.path, key, parent.size()),
                        "items count from 0");
    }
    if (parent.IsScalar())
        throw PlanError(fmt::format("--set {}: '{}' stands below a plain value", change.path, key),
                        "name a key of a mapping, as in console.baud");
    return parent[key];
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0U);
    for (const char letter : a) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (letter == b[j] ? 0U : 1U);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
        }
    }
    return row.back();
}

}  // namespace

Override Override::parse(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        throw PlanError(fmt::format("--set {}: wants PATH=VALUE", text), "try --set console.baud=9600");
    return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Document Document::load(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw PlanError(fmt::format("{}: cannot be read", path.string()), "check the path");
    std::string text(most_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
        throw PlanError(fmt::format("{}: is longer than {} bytes", path.string(), most_bytes),
                        "a plan or a lab file is a page of text: is this the right file?");
    return parse(std::move(text), path.string());
}

Document Document::parse(std::string text, std::string name) {
    auto state = std::make_shared<State>();
    state->name = std::move(name);
    state->text = std::move(text);
    state->root = parse_yaml(state->text, state->name);
    return Document(std::move(state));
}

Node Document::root() const {
    return Node(state_, state_->root, {});
}
const std::string& Document::text() const {
    return state_->text;
}
const std::string& Document::name() const {
    return state_->name;
}

Document Document::with(const Override& change) const {
    auto state = std::make_shared<State>(*state_);
    state->root = YAML::Clone(state_->root);
    state->overrides.push_back(change);
    const YAML::Node value = parse_yaml(change.value, "--set " + change.path);
    auto keys = split_path(change.path);
    YAML::Node parent = state->root;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) parent.reset(child_of(parent, keys[i], change));
    child_of(parent, keys.back(), change) = value;
    YAML::Emitter emitter;
    emitter << state->root;
    state->text = std::string(emitter.c_str()) + "\n";
    return Document(std::move(state));
}

Node::Node(std::shared_ptr<const Document::State> document, const YAML::Node& node, std::string path)
    : document_(std::move(document)), node_(std::make_shared<YAML::Node>(node)), path_(std::move(path)) {}

bool Node::is_map() const {
    return node_->IsMap();
}
bool Node::is_list() const {
    return node_->IsSequence();
}
bool Node::is_scalar() const {
    return node_->IsScalar();
}

std::string Node::place() const {
    for (const auto& change : document_->overrides | std::views::reverse) {
        if (path_ == change.path || path_.starts_with(change.path + "."))
            return fmt::format("--set {}={}", change.path, change.value);
    }
    return place_of(document_->name, node_->Mark());
}

void Node::fail(std::string_view what, std::string hint) const {
    const auto key = path_.substr(path_.rfind('.') == std::string::npos ? 0 : path_.rfind('.') + 1);
    throw PlanError(key.empty() ? fmt::format("{}: {}", place(), what) : fmt::format("{}: {} {}", place(), key, what),
                    std::move(hint));
}

std::string Node::emit() const {
    YAML::Emitter emitter;
    emitter << *node_;
    return std::string(emitter.c_str()) + "\n";
}

template <class T>
T Node::value_or_fail(const std::expected<T, std::string>& parsed) const {
    if (!parsed) fail(parsed.error());
    return *parsed;
}

std::string Node::as_string() const {
    if (!node_->IsScalar()) fail("must be a plain value, not a list or a mapping");
    return node_->Scalar();
}

std::string Node::as_line() const {
    std::string text = as_string();
    if (text.empty()) fail("must not be empty");
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) fail("must be one line without control characters");
    }
    return text;
}

std::int64_t Node::as_integer() const {
    const std::string text = as_string();
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || rest != text.data() + text.size())
        fail(fmt::format("must be a whole number, not '{}'", text));
    return value;
}

std::uint64_t Node::as_count(std::uint64_t least, std::uint64_t most) const {
    const std::int64_t value = as_integer();
    if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most)
        fail(fmt::format("must be {} to {}, not {}", least, most, value));
    return static_cast<std::uint64_t>(value);
}

std::chrono::nanoseconds Node::as_duration() const {
    return value_or_fail(parse_duration(as_string()));
}
std::uint64_t Node::as_frequency() const {
    return value_or_fail(parse_frequency(as_string()));
}
double Node::as_ratio() const {
    return value_or_fail(parse_ratio(as_string()));
}
Tolerance Node::as_tolerance() const {
    return value_or_fail(parse_tolerance(as_string()));
}

std::size_t Node::as_one_of(const std::vector<std::string_view>& names) const {
    const std::string text = as_string();
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) fail(fmt::format("must be one of {}, not '{}'", fmt::join(names, ", "), text));
    return static_cast<std::size_t>(found - names.begin());
}

std::vector<Node> Node::as_list() const {
    if (!node_->IsSequence()) fail("must be a list", "write it as [a, b] or as lines that begin with '- '");
    std::vector<Node> items;
    for (std::size_t i = 0; i < node_->size(); ++i)
        items.push_back(Node(document_, (*node_)[i], path_ + (path_.empty() ? "" : ".") + std::to_string(i)));
    return items;
}

std::vector<Entry> Node::as_entries() const {
    if (!node_->IsMap()) fail("must be a mapping", "write it as key: value lines or {key: value}");
    std::vector<Entry> entries;
    for (const auto& entry : *node_) {
        const Node key(document_, entry.first, path_);
        if (!entry.first.IsScalar()) key.fail("a key must be a plain word");
        const std::string name = entry.first.Scalar();
        Node value(document_, entry.second, path_ + (path_.empty() ? "" : ".") + name);
        const bool overridden = value.place().starts_with("--set");
        const std::string place = overridden ? value.place() : key.place();
        if (std::any_of(entries.begin(), entries.end(), [&](const Entry& other) { return other.name == name; }))
            throw PlanError(fmt::format("{}: '{}' is given twice", place, name), "keep one of the two");
        entries.push_back({name, value, place});
    }
    return entries;
}

Map::Map(const Node& node) : node_(node), entries_(node.as_entries()) {}

std::optional<Node> Map::find(std::string_view key) {
    known_.emplace_back(key);
    for (const auto& entry : entries_) {
        if (entry.name == key) return entry.value;
    }
    return std::nullopt;
}

Node Map::require(std::string_view key, std::string_view example) {
    if (auto node = find(key)) return *node;
    node_.fail(fmt::format("has no '{}'", key), fmt::format("add '{}'", example));
}

void Map::done() const {
    for (const auto& [name, value, place] : entries_) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        const auto nearest = std::min_element(known_.begin(), known_.end(), [&](const auto& a, const auto& b) {
            return edit_distance(a, name) < edit_distance(b, name);
        });
        const bool close = nearest != known_.end() && edit_distance(*nearest, name) <= 2;
        throw PlanError(fmt::format("{}: '{}' is not a known key", place, name),
                        close ? fmt::format("did you mean '{}'?", *nearest)
                              : fmt::format("known here: {}", fmt::join(known_, ", ")));
    }
}

}  // namespace rig::yaml
