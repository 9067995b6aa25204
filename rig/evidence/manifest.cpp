// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/manifest.hpp"

#include "rig/error.hpp"
#include "rig/evidence/append_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>

namespace rig::evidence {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string sha256_of(const fs::path& path) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    std::ifstream file(path, std::ios::binary);
    if (!file || !context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
        throw BenchError(fmt::format("{} cannot be read", path.string()));
    std::array<char, 1 << 16> block{};
    while (file.read(block.data(), block.size()) || file.gcount() > 0)
        EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(file.gcount()));
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context.get(), digest.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

/// The files of evidence, as paths within the bundle, sorted.
std::vector<std::string> evidence_files(const fs::path& bundle) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(bundle)) {
        const auto relative = fs::relative(entry.path(), bundle).generic_string();
        if (!entry.is_regular_file() || relative == "manifest.json" || relative == "manifest.json.new") continue;
        if (relative.starts_with("derived/")) continue;
        files.push_back(relative);
    }
    std::sort(files.begin(), files.end());
    return files;
}

constexpr auto what_to_do = "the manifest was changed after the run; take the bundle from a backup";

/// Has what this file reads of it, in the types that it reads.
bool is_manifest(const json& manifest) {
    if (!manifest.is_object() || !manifest.contains("schema") || !manifest.contains("files")) return false;
    const auto& files = manifest["files"];
    return files.is_array() && std::ranges::all_of(files, [](const json& file) {
               return file.is_object() && file.value("path", json()).is_string() &&
                      file.value("bytes", json()).is_number_unsigned() && file.value("sha256", json()).is_string();
           });
}

json load(const fs::path& bundle) {
    const auto path = bundle / "manifest.json";
    if (!fs::exists(path))
        throw PlanError(fmt::format("{} has no manifest.json", bundle.string()),
                        "is it a bundle, and did its run come to an end?");
    try {
        auto manifest = json::parse(read_file(path));
        if (!is_manifest(manifest))
            throw PlanError(fmt::format("{} is not a manifest: it has no schema or no list of files", path.string()),
                            what_to_do);
        if (manifest.at("schema") != "rig.bundle/1")
            throw PlanError(fmt::format("{} has schema {}", path.string(), manifest.at("schema").dump()),
                            "this rig reads rig.bundle/1");
        return manifest;
    } catch (const nlohmann::json::exception& error) {
        throw PlanError(fmt::format("{} is not a manifest: {}", path.string(), error.what()), what_to_do);
    }
}

bool is_within_bundle(const fs::path& path) {
    return path.is_relative() && std::ranges::find(path, "..") == path.end();
}

std::vector<std::string> compare(const fs::path& bundle, const json& manifest) {
    std::vector<std::string> damage;
    std::set<std::string> listed;
    for (const auto& file : manifest.at("files")) {
        const std::string path = file.at("path");
        listed.insert(path);
        if (!is_within_bundle(path)) {
            damage.push_back(fmt::format("manifest.json lists '{}', which lies outside the bundle", path));
        } else if (!fs::is_regular_file(bundle / path)) {
            damage.push_back(fmt::format("{} is missing", path));
        } else if (fs::file_size(bundle / path) != file.at("bytes").get<std::uintmax_t>()) {
            damage.push_back(fmt::format("{} has {} bytes where the manifest says {}", path,
                                         fs::file_size(bundle / path), file.at("bytes").get<std::uintmax_t>()));
        } else if (sha256_of(bundle / path) != file.at("sha256").get<std::string>()) {
            damage.push_back(fmt::format("{} is not what the manifest says (its sha256 differs)", path));
        }
    }
    for (const auto& path : evidence_files(bundle)) {
        if (!listed.contains(path)) damage.push_back(fmt::format("{} is not in the manifest", path));
    }
    return damage;
}

}  // namespace

void write_manifest(const fs::path& bundle, const RunInfo& info) {
    json files = json::array();
    for (const auto& path : evidence_files(bundle))
        files.push_back(
            {{"path", path}, {"bytes", fs::file_size(bundle / path)}, {"sha256", sha256_of(bundle / path)}});
    const json manifest{{"schema", "rig.bundle/1"}, {"rig", info.rig_version},         {"plan", info.plan},
                        {"station", info.station},  {"started_utc", info.started_utc}, {"files", files}};
    replace_file(bundle / "manifest.json", manifest.dump(2) + "\n");
}

RunInfo read_manifest(const fs::path& bundle) {
    const json manifest = load(bundle);
    try {
        return {manifest.at("rig"), manifest.at("plan"), manifest.at("station"), manifest.at("started_utc")};
    } catch (const nlohmann::json::exception& error) {
        throw PlanError(fmt::format("{}/manifest.json: {}", bundle.string(), error.what()));
    }
}

bool is_sealed(const fs::path& bundle) {
    return fs::exists(bundle / "manifest.json");
}

std::vector<std::string> find_damage(const fs::path& bundle) {
    const json manifest = load(bundle);
    return compare(bundle, manifest);
}

}  // namespace rig::evidence
