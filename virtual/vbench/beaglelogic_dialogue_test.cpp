// SPDX-License-Identifier: GPL-3.0-or-later
#include "beaglelogic_dialogue.hpp"

#include <gtest/gtest.h>

namespace vbench {
namespace {

using Dialogue = BeagleLogicDialogue;

/// Actions as a script: replies verbatim, the others by name.
std::string script(const std::vector<Dialogue::Action>& actions) {
    std::string text;
    for (const auto& action : actions) {
        if (const auto* reply = std::get_if<Dialogue::Reply>(&action)) text += reply->text;
        if (std::holds_alternative<Dialogue::Start>(action)) text += "<start>";
        if (std::holds_alternative<Dialogue::Stop>(action)) text += "<stop>";
        if (std::holds_alternative<Dialogue::HangUp>(action)) text += "<hang up>";
    }
    return text;
}

TEST(BeagleLogicDialogue, ScanAsksForTheVersion) {
    EXPECT_EQ(script(Dialogue().take("version\n")), "BeagleLogic 1.0\n");
}

TEST(BeagleLogicDialogue, OpeningReadsTheSettingsAndSetsTheTrigger) {
    Dialogue dialogue;
    EXPECT_EQ(script(dialogue.take("samplerate\n")), "1000000\n");
    EXPECT_EQ(script(dialogue.take("sampleunit\n")), "1\n");
    EXPECT_EQ(script(dialogue.take("memalloc\n")), "1073741824\n");
    EXPECT_EQ(script(dialogue.take("bufunitsize\n")), "4194304\n");
    EXPECT_EQ(script(dialogue.take("triggerflags 1\n")), "ok\n");
    EXPECT_EQ(dialogue.settings().triggerflags, 1U);
}

TEST(BeagleLogicDialogue, ACaptureIsStartedAndStopped) {
    Dialogue dialogue;
    EXPECT_EQ(script(dialogue.take("samplerate 2000000\n")), "ok\n");
    EXPECT_EQ(script(dialogue.take("get\n")), "<start>");
    EXPECT_EQ(script(dialogue.take("close\n")), "<stop>");
    EXPECT_EQ(dialogue.settings().samplerate, 2'000'000U);
}

TEST(BeagleLogicDialogue, CommandsSentTogetherAreAnsweredInOrder) {
    EXPECT_EQ(script(Dialogue().take("samplerate 500\nsampleunit 0\nget\n")), "ok\nok\n<start>");
}

TEST(BeagleLogicDialogue, ACommandMayArriveInPieces) {
    Dialogue dialogue;
    EXPECT_EQ(script(dialogue.take("vers")), "");
    EXPECT_EQ(script(dialogue.take("ion")), "");
    EXPECT_EQ(script(dialogue.take("\n")), "BeagleLogic 1.0\n");
}

TEST(BeagleLogicDialogue, NulBytesAndCarriageReturnsArePassedOver) {
    using namespace std::string_literals;
    EXPECT_EQ(script(Dialogue().take("version\0\n\0get\r\n"s)), "BeagleLogic 1.0\n<start>");
}

TEST(BeagleLogicDialogue, AValueOutOfRangeIsRefusedAndChangesNothing) {
    Dialogue dialogue;
    EXPECT_EQ(script(dialogue.take("samplerate 0\n")), "error: samplerate takes a number from 10 to 100000000\n");
    EXPECT_EQ(script(dialogue.take("sampleunit 2\n")), "error: sampleunit takes a number from 0 to 1\n");
    EXPECT_EQ(script(dialogue.take("samplerate fast\n")), "error: samplerate takes a number from 10 to 100000000\n");
    EXPECT_EQ(dialogue.settings().samplerate, 1'000'000U);
}

TEST(BeagleLogicDialogue, AnUnknownCommandIsNamed) {
    EXPECT_EQ(script(Dialogue().take("trigger\n")), "error: no command 'trigger'\n");
    EXPECT_EQ(script(Dialogue().take("gain 3\n")), "error: no setting 'gain'\n");
}

TEST(BeagleLogicDialogue, AClientThatSendsNoLineEndIsHungUpOn) {
    EXPECT_EQ(script(Dialogue().take(std::string(1000, 'x'))), "<hang up>");
}

}  // namespace
}  // namespace vbench
