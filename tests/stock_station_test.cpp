// SPDX-License-Identifier: GPL-3.0-or-later
// rig on virtual stations whose kernel nobody patched: the accounts of the kernel itself, our module, a login, no root.
#include "tests/station_run.hpp"

#include <gtest/gtest.h>

namespace rig::tests {
namespace {

using json = nlohmann::json;

/// Five trials on a busy host do not decide a slope, and its timer's interrupts come late: ticks are lost to it.
const std::string loose_checks =
    "--set " +
    quoted(
        "checks=[{ agree: [interval, wire], within: 3 % + 20 ms }, "
        "{ agree: [irq_off, wire], within: 3 % + 2 ms, in at least: 60 %, if missing: skip }]") +
    " --set cases.0.trials=1 ";

std::unique_ptr<StationRun> stock_run(const std::string& station, const std::string& more = "") {
    return rig_run("testplans/stock.yaml --station " + station + " " + loose_checks + busy_host + more);
}

bool has_notice(const json& result, const std::string& about) {
    for (const auto& notice : result.at("notices")) {
        if (notice.at("about") == about) return true;
    }
    return false;
}

TEST(StockStation, TheKernelsOwnTraceEventsTellTheSections) {
    const auto run = stock_run("versatilepb-stock");
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire", "interval", "jiffies", "irq_off"}));
    EXPECT_EQ(run->result["sources"]["irq_off"], "preemptirq trace events");
    EXPECT_TRUE(has_notice(run->result, "irqsoff"));
    for (const auto& trial : trials_of(run->result)) {
        if (!trial["certified"]) continue;
        EXPECT_EQ(trial["hz"], 1000);
        const auto longest = trial["irq_off"][0]["site"].get<std::string>();
        EXPECT_FALSE(longest.empty());
    }
}

TEST(StockStation, WithoutTracefsTheWireTheIntervalAndTheJiffiesStand) {
    const auto run = stock_run("versatilepb-stock", "--set " + quoted("setup=['umount /sys/kernel/tracing', 'mount -t "
                                                                      "tmpfs none /sys/kernel']"));
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire", "interval", "jiffies"}));
    EXPECT_EQ(run->result["checks"][1]["verdict"], "skipped");
}

TEST(StockStation, TheModuleGivesTheAccountsOfThePatches) {
    const auto run = stock_run("versatilepb-module");
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire", "interval", "jiffies", "irq_off", "marker"}));
    EXPECT_EQ(run->result["sources"]["irq_off"], "/proc/irq_latency_events");
}

TEST(StockStation, TheModulePrintsItsOwnRecordsToo) {
    const auto run = rig_run("testplans/printk.yaml --station versatilepb-module " + busy_host + "--set " +
                             quoted("cases=[{ case: sync, stimulus: { shell: sync }, trials: 2 }, "
                                    "{ case: length, stimulus: { printk_test: { length: 256 } }, trials: 2 }]") +
                             " --set " + quoted("checks=[{ agree: [marker, irq_off], within: 2 ms }]"));
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"].size(), 5U);
}

TEST(StockStation, AModuleThatDoesNotLoadIsThePlansFault) {
    const auto run = stock_run("versatilepb-module", "--set board.module=/lib/rig/other.ko");
    EXPECT_EQ(run->outcome.exit_code, 4) << run->outcome.output;
    EXPECT_NE(run->result["cause"].get<std::string>().find("'/lib/rig/other.ko' does not load"), std::string::npos);
}

TEST(StockStation, AConsoleThatAsksForALoginIsAnswered) {
    const auto run = stock_run("versatilepb-login");
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
}

TEST(StockStation, APasswordIsInNoFileOfTheBundle) {
    const auto run = stock_run("versatilepb-login", "--set boot.login.password=NeverToBeSeen");
    EXPECT_EQ(run->outcome.exit_code, 3) << run->outcome.output;
    EXPECT_NE(run->result["cause"].get<std::string>().find("refuses the login of 'root'"), std::string::npos);
    const auto found = shell("grep -r NeverToBeSeen " + quoted(run->bundle.string()));
    EXPECT_EQ(found.exit_code, 1) << found.output;
}

TEST(StockStation, WithoutRootTheStockPlanSaysWhatCanBeMeasured) {
    const auto run = stock_run("versatilepb-user");
    EXPECT_EQ(run->outcome.exit_code, 4) << run->outcome.output;
    EXPECT_NE(run->result["cause"].get<std::string>().find("/dev/kmsg"), std::string::npos);
    EXPECT_NE(run->result["hint"].get<std::string>().find("testplans/wire.yaml"), std::string::npos);
}

TEST(StockStation, WithoutRootTheWireIsMeasured) {
    // How close the slope comes is the host's pace; that the plan's own 3 % hold is for a quiet one.
    const auto run = rig_run("testplans/wire.yaml --station versatilepb-user --set cases.0.trials=2 --set " +
                             quoted("checks=[{ fit: wire over frames, slope: 1 frame ± 15 % }]") + " " + busy_host);
    EXPECT_EQ(run->outcome.exit_code, 0) << run->outcome.output;
    EXPECT_EQ(run->result["accounts"], (json{"wire"}));
    EXPECT_TRUE(has_notice(run->result, "user"));
}

}  // namespace
}  // namespace rig::tests
