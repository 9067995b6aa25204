// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Who answers when the console asks for a name (getty(8), login(1)); text in and text out.
namespace rig::console {

/// What a console asks of whoever sits at it.
enum class Question { name, password };

/// The question that `bytes` end with: the last line is `… login:` or `… assword:`. A kernel line behind the question
/// hides it; login asks again after an Enter.
std::optional<Question> find_question(std::string_view bytes);

/// Whether a login was refused at or after `from`.
bool finds_refusal(std::string_view bytes, std::size_t from);

}  // namespace rig::console
