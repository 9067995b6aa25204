// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completion/script.hpp"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

namespace rig::cli::completion {
namespace {

/// A command line that is not rig's: whatever the scripts know of it, they were told by its options.
class Completion : public testing::Test {
protected:
    Completion() {
        auto* bake = app_.add_subcommand("bake", "Bake a cake: it's [hot]");
        bake->add_option("recipe", text_, "What to bake")->type_name("RECIPE.cake");
        bake->add_option("-s,--sugar", text_, "How much")->type_name("none|some|all");
        bake->add_option("--lab", text_, "Where")->type_name(placeholder::lab);
        bake->add_option("--oven", text_, "Which")->type_name(placeholder::station);
        bake->add_option("--tray", list_, "On what")->type_name(placeholder::folder);
        bake->add_option("--secret", text_, "Of the house")->group("");
        bake->add_flag("--dry", flag_, "Only think of it");
        app_.add_subcommand("grandmother", "Hidden")->group("");
    }

    [[nodiscard]] CommandLine line() const { return command_line_of(app_); }

    static void expect_in(const std::string& script, const std::string& text) {
        EXPECT_NE(script.find(text), std::string::npos) << text << "\nis not in\n" << script;
    }

private:
    CLI::App app_{"Kitchen", "rig"};
    std::string text_;
    std::vector<std::string> list_;
    bool flag_ = false;
};

TEST_F(Completion, TheCommandLineIsReadOffTheOptions) {
    const auto commands = line().commands;
    ASSERT_EQ(commands.size(), 1U);
    EXPECT_EQ(commands[0].name, "bake");
    ASSERT_EQ(commands[0].positionals.size(), 1U);
    EXPECT_EQ(commands[0].positionals[0].values.suffix, ".cake");
    ASSERT_EQ(commands[0].options.size(), 6U);  // --help is one
    EXPECT_EQ(commands[0].options[1].names, (std::vector<std::string>{"-s", "--sugar"}));
    EXPECT_EQ(commands[0].options[1].values.words, (std::vector<std::string>{"none", "some", "all"}));
    EXPECT_TRUE(commands[0].options[2].chooses_lab());
    EXPECT_EQ(commands[0].options[3].values.kind, Values::Kind::stations);
    EXPECT_EQ(commands[0].options[4].values.kind, Values::Kind::folders);
    EXPECT_EQ(commands[0].options[4].arity, Argument::Arity::many);
    EXPECT_EQ(commands[0].options[5].arity, Argument::Arity::flag);
}

TEST_F(Completion, WhatIsHiddenFromHelpIsHiddenFromShells) {
    for (const auto& script : {bash_script(line()), zsh_script(line()), fish_script(line())}) {
        EXPECT_EQ(script.find("secret"), std::string::npos);
        EXPECT_EQ(script.find("grandmother"), std::string::npos);
    }
}

TEST_F(Completion, NoMarkOfTheFrameIsLeft) {
    for (const auto& script : {bash_script(line()), zsh_script(line()), fish_script(line())}) {
        for (const auto* mark : {"@TAKES", "@CHOOSES", "@VALUES", "@OPTIONS", "@COMMANDS", "@LAB", "@PROGRAM", "@ARG"})
            EXPECT_EQ(script.find(mark), std::string::npos) << mark;
    }
}

TEST_F(Completion, BashLearnsWhichOptionsTakeAValueAndWhichValues) {
    const auto script = bash_script(line());
    expect_in(script, "'bake -s' | 'bake --sugar') return 0 ;;");
    expect_in(script, "'bake -s' | 'bake --sugar') _rig_words \"$2\" 'none' 'some' 'all' ;;");
    expect_in(script, "'bake 1') _rig_files \"$2\" '.cake' ;;");
    expect_in(script, "'bake --oven') _rig_stations \"$2\" \"$3\" ;;");
    expect_in(script, "'bake') _rig_words \"$1\" '-h' '--help' '-s' '--sugar' '--lab' '--oven' '--tray' '--dry' ;;");
    EXPECT_EQ(script.find("'bake --dry') return 0"), std::string::npos);
}

TEST_F(Completion, ZshSeesItsOwnPunctuationEscaped) {
    const auto script = zsh_script(line());
    expect_in(script, R"('bake:Bake a cake\: it'\''s \[hot\]')");
    expect_in(script, "'(-s --sugar)-s+[How much]:none|some|all:(none some all)'");
    expect_in(script, "'*--tray=[On what]:FOLDER:_files -/'");
    expect_in(script, "local lab=${(Q)opt_args[--lab]}");
}

TEST_F(Completion, FishLearnsLongAndShortNamesOfAnOption) {
    const auto script = fish_script(line());
    expect_in(script, R"(-a 'bake' -d 'Bake a cake: it\'s [hot]')");
    expect_in(script, "-n '__fish_seen_subcommand_from bake' -s s -l sugar -x -a 'none some all' -d 'How much'");
    expect_in(script, "case '--lab=*'");
}

}  // namespace
}  // namespace rig::cli::completion
