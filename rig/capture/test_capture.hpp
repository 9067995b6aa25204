// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the readers share: files of their own, whole captures, and the sentences of refusals.
#pragma once

#include "rig/capture/source.hpp"
#include "rig/wire/edges.hpp"
#include "tests/folder.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rig::capture::testing {

/// Writes a file into the folder.
std::filesystem::path put(const tests::Folder& folder, std::string_view name, std::string_view bytes);

/// Reads the channels of these names, all when there are none, and checks what every Source promises of stretches.
std::vector<wire::Trace> traces_of(Source& source, const std::vector<std::string>& names = {});

/// "000110" → its trace at this rate.
wire::Trace trace(std::uint64_t hz, std::string_view levels);

/// The names of its channels.
std::vector<std::string> names_of(const Source& source);

/// What and hint of the PlanError that this throws, without the folder's path; "" when it throws none.
std::string refusal(const tests::Folder& folder, const std::function<void()>& attempt);

/// The same of a capture that is opened and read.
std::string refusal(const tests::Folder& folder, const std::function<std::unique_ptr<Source>()>& open);

}  // namespace rig::capture::testing
