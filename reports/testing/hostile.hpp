// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/testing/sample_run.hpp"

#include <string>

namespace rig::reports::testing {

/// Text by which a target would like to become markup, leave its attribute, turn the page round or fill the disk.
inline std::string hostile_text() {
    using namespace std::string_literals;
    return "<script>alert(1)</script></svg></style></title>\"onload=\"alert(2)' <!-- --> ]]> &lt; <img src=x "
           "onerror=y> "
           "http://example.invalid/ \0 \x1b[31m \x7f \xff\xfe \xc0\xaf \xed\xa0\x80 \xe2\x80\xae fdp.exe \xe2\x80\x8b \xef\xbf\xbe"s;
}

/// A sample in which every text that a target can have a hand in is hostile, with a line of a megabyte.
inline SampleSpec hostile_spec() {
    SampleSpec spec;
    spec.site = hostile_text();
    spec.record_words = hostile_text();
    spec.reject_reason = hostile_text();
    spec.environment_value = hostile_text() + "\n" + std::string(1U << 20U, '<') + "\n" + hostile_text();
    spec.after_record = std::string(20'000, '<') + hostile_text() + "\r\n";
    spec.lengths = {16, 64, 256};
    spec.trials_a_length = 4;
    return spec;
}

}  // namespace rig::reports::testing
