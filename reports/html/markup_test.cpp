// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/html/markup.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace rig::reports {
namespace {

TEST(Markup, TextNeverBecomesMarkup) {
    Writer page;
    page.leaf("p", {{"class", "\" onload=\"x' <&"}}, "</p><script>'\"&amp;");
    EXPECT_EQ(std::move(page).take(),
              "<p class=\"&quot; onload=&quot;x&#39; &lt;&amp;\">&lt;/p&gt;&lt;script&gt;&#39;&quot;&amp;amp;</p>");
}

TEST(Markup, ElementsEndWithTheirScope) {
    Writer page;
    {
        const auto list = page.open("ul");
        const auto item = page.open("li");
        page.text("x");
    }
    page.empty("br");
    EXPECT_EQ(std::move(page).take(), "<ul><li>x</li></ul><br />");
}

TEST(Markup, LinksLeadOnlyToPlacesOnThePage) {
    Writer page;
    {
        const auto link = page.open_link(Anchor("trial-", 7));
    }
    EXPECT_EQ(std::move(page).take(), "<a href=\"#trial-7\"></a>");
}

TEST(Path, HoldsNumbersAndNothingElse) {
    Path path;
    path.move_to(1, 2.25).line_to(std::numeric_limits<double>::infinity(), -0.01).horizontal_to(1e3).close();
    EXPECT_EQ(path.text(), "M1 2.2L0 0H1000Z");
}

}  // namespace
}  // namespace rig::reports
