// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/evidence/sr_file_traces.hpp"

#include <utility>

namespace rig::evidence {

std::vector<wire::Trace> read_traces(const SrFile& file, std::span<const SrChannel> channels) {
    std::vector<wire::EdgeScanner> scanners;
    for (const SrChannel& channel : channels) scanners.emplace_back(file.unitsize(), channel.bit);
    file.for_each_block([&](std::span<const std::byte> block) {
        for (wire::EdgeScanner& scanner : scanners) scanner.feed(block);
    });
    std::vector<wire::Trace> traces;
    for (wire::EdgeScanner& scanner : scanners) traces.push_back(std::move(scanner).finish(file.rate()));
    return traces;
}

}  // namespace rig::evidence
