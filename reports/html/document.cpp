// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/document.hpp"

#include "rig/error.hpp"

#include <array>

#include <openssl/evp.h>

namespace rig::reports {

std::string hash_source(std::string_view content) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(content.data(), content.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
        throw RigError("the hash of the page's style sheet cannot be computed",
                       "is this OpenSSL built without SHA-256?");
    std::array<unsigned char, 4 * (EVP_MAX_MD_SIZE / 3 + 1) + 1> text{};
    EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(size));
    return "'sha256-" + std::string(reinterpret_cast<const char*>(text.data())) + "'";
}

void write_head(Writer& page, std::string_view title, Literal stylesheet) {
    const auto head = page.open("head");
    page.literal(R"(<meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />)");
    // The first thing after the encoding: nothing on the page comes before the policy.
    page.literal(R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src )");
    page.text(hash_source(stylesheet.text()));
    page.literal(R"(; img-src data:; base-uri 'none'; form-action 'none'" />)");
    page.literal(R"(<meta name="color-scheme" content="light dark" /><meta name="referrer" content="no-referrer" />)");
    page.leaf("title", title);
    page.literal("<style>");
    page.literal(stylesheet);
    page.literal("</style>");
}

}  // namespace rig::reports
