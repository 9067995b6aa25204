// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the sample run's page, so that it can be looked at and read by a parser that is not ours:
// rig_reports_sample ordinary|hostile|thousand|failed FILE [table]
#include "reports/html/page.hpp"
#include "reports/testing/hostile.hpp"
#include "reports/testing/sample_run.hpp"
#include "reports/text/table.hpp"

#include <fstream>
#include <iostream>
#include <string>

namespace {

using namespace rig::reports;

nlohmann::ordered_json make(const std::string& kind, const std::filesystem::path& folder) {
    testing::SampleSpec spec;
    if (kind == "failed") return testing::make_failed_sample(folder);
    if (kind == "hostile") return testing::make_sample(testing::hostile_spec(), folder);
    if (kind == "thousand") spec.sync_trials = spec.trials_a_length = 167;
    return testing::make_sample(spec, folder);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: rig_reports_sample ordinary|hostile|thousand|failed FILE [table]\n";
        return 4;
    }
    const testing::ScratchFolder folder;
    const auto result = make(argv[1], folder.path());
    const auto bundle = rig::evidence::Bundle::open(folder.path());
    std::ofstream(argv[2], std::ios::binary) << render_html(result, bundle);
    if (argc > 3) std::cout << render_table(result, TableStyle::plain);
    return 0;
}
