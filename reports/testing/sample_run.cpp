// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/testing/sample_run.hpp"

#include "rig/error.hpp"
#include "rig/evidence/manifest.hpp"
#include "rig/evidence/sr_file.hpp"
#include "rig/evidence/trial_record.hpp"
#include "rig/wire/generate.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include <fmt/format.h>

namespace rig::reports::testing {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double hz = 1000;
constexpr double baud = 115'200;
constexpr double frame_s = 10 / baud;
constexpr double idle_s = 5e-3;    // before the record in a capture
constexpr double entry_s = 62e-6;  // interrupts go off this long before the first start bit
constexpr double exit_s = 38e-6;   // and come back this long after the last stop bit
constexpr SampleRate samplerate{4'000'000};

constexpr std::string_view plan_text = R"(plan: printk
about: a sample
needs: { analyzer: [tx] }
wants: { target: [printk_test, irq_latency, marker] }
console: { loglevel: 7 }
cases:
  - case: sync
    stimulus: { shell: sync }
    trials: 20
  - case: length
    stimulus: { printk_test: { length: $length } }
    sweep: { length: [16, 64, 256, 512, 900] }
    trials: 10
checks:
  - agree: [irq_off, wire]
    within: 3 % + 500 us
  - agree: [marker, irq_off]
    within: 300 us
  - model: lost_ticks
  - { fit: irq_off over frames, slope: 1 frame ± 3 % }
)";

void write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

json figure(double value, double u) {
    return {{"value", value}, {"u", u}};
}

/// Scatter with a mean of zero; the same numbers with every standard library.
class Scatter {
public:
    double operator()(double sigma) {
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += static_cast<double>(random_() >> 11U) * 0x1p-53;
        return (sum - 6) * sigma;
    }

private:
    std::mt19937_64 random_{20260711};
};

std::string nonce_of(unsigned trial) {
    return fmt::format("{:08x}", 0x5eed0000U + trial);
}

std::string record_text(const SampleSpec& spec, unsigned trial, std::size_t frames) {
    std::string text = fmt::format("[{:5}.{:06}] test {} ", 12 + trial, 345678, nonce_of(trial));
    while (text.size() + 2 < frames) text += spec.record_words + ' ';
    text.resize(frames > 2 ? frames - 2 : 0, '.');
    return text + "\r\n";
}

json section(const std::string& site, double start, double duration, const json& irq) {
    return {{"site", site}, {"cpu", 0},         {"duration_s", {{"value", duration}, {"u", 17e-9}}},
            {"irq", irq},   {"start_s", start}, {"after_record_s", start - 12.3}};
}

json certificate(const SampleSpec& spec, bool certified) {
    json lines = json::array();
    lines.push_back({{"line", "samples"}, {"ok", true}, {"figure", "200000 of 200000"}});
    lines.push_back({{"line", "end_packet"}, {"ok", true}, {"figure", "came"}});
    lines.push_back({{"line", "elapsed"}, {"ok", true}, {"figure", "0.051 s for 0.050 s of samples"}});
    lines.push_back({{"line", "bit_phase"}, {"ok", true}, {"figure", "worst edge 214 ns off its grid"}});
    lines.push_back({{"line", "heartbeat"}, {"ok", nullptr}, {"figure", "not judged: no such channel"}});
    lines.push_back({{"line", spec.reject_reason},
                     {"ok", certified},
                     {"figure", certified ? "0.041 ms at most" : "0.731 ms at most"}});
    return lines;
}

/// One attempt with all five accounts. A rejected one was held up by the bench.
json make_trial(const SampleSpec& spec, unsigned trial, std::size_t frames, double held_up_s, Scatter& scatter) {
    const double wire = static_cast<double>(frames) * frame_s + held_up_s;
    const double irq_off = wire + entry_s + exit_s + scatter(25e-6);
    const double interval = irq_off + 310e-6 + scatter(40e-6);
    const double start = 12.345 + trial;
    const auto jiffies =
        static_cast<int>(std::max(1.0, std::round(interval * hz - std::floor(irq_off * hz) + 1 + scatter(0.3))));
    const bool certified = held_up_s == 0;
    json object{
        {"trial", trial}, {"attempt", 1}, {"certified", certified}, {"certificate", certificate(spec, certified)}};
    object["frames"] = frames;
    object["baud_hz"] = figure(baud * (1 + 3e-6), 3.3);
    object["wire_s"] = figure(wire, 0.9e-6);
    object["interval_s"] = figure(interval, 0.4e-6);
    object["irq_off_s"] = figure(irq_off, 0.4e-6);
    object["marker_s"] = figure(irq_off - 4e-6 + scatter(1e-6), 0.7e-6);
    object["irq_off"] = json::array({section("vprintk_store", start - 40e-6, 18e-6, nullptr),
                                     section(spec.site, start, irq_off, nullptr),
                                     section("sp804_timer_interrupt", start + irq_off + 20e-6, 55e-6, 36)});
    object["jiffies"] = jiffies;
    object["hz"] = 1000;
    object["expected_ticks"] = figure(interval * hz, 0.0004);
    object["lost_ticks"] = figure(interval * hz - jiffies, 0.41);
    const auto whole = static_cast<int>(std::floor(irq_off * hz));
    object["model_lost_ticks"] = {{"least", std::max(0, whole - 1)}, {"most", std::max(0, whole)}};
    object["slip_s"] = {{"value", certified ? 41e-6 : held_up_s}, {"u", 0.4e-9}};
    object["why"] = certified ? "" : fmt::format("{}: {:.3f} ms at most", spec.reject_reason, held_up_s * 1e3);
    object["missing"] = json::object();
    object["capture"] = fmt::format("capture/{:04}.sr", trial);
    object["record_on_wire"] = {{"begin_s", idle_s}, {"end_s", idle_s + wire}};
    object["marker_on_wire"] = {{"begin_s", idle_s - entry_s}, {"end_s", idle_s - entry_s + irq_off}};
    return object;
}

wire_time at(double seconds) {
    return wire_time{picoseconds{std::llround(seconds * 1e12)}};
}

/// The capture of a trial: its record on tx, its pulse on the marker.
void write_capture(const fs::path& path, const std::string& record, double irq_off) {
    wire::WaveformWriter writer({1e12 / baud, {}, 0, picoseconds{0}, 1});
    writer.idle(picoseconds{std::llround(idle_s * 1e12)});
    writer.send_text(record);
    const auto samples = static_cast<std::uint64_t>((idle_s * 2 + irq_off) * static_cast<double>(samplerate.hz));
    const auto tx = wire::sample(writer.waveform(), samplerate, samples);
    const wire::Waveform pulse{
        wire::Level::low,
        {{at(idle_s - entry_s), wire::Level::high}, {at(idle_s - entry_s + irq_off), wire::Level::low}}};
    const auto marker = wire::sample(pulse, samplerate, samples);
    const std::vector<wire::Lane> lanes{{&tx, 0}, {&marker, 2}};
    fs::create_directories(path.parent_path());
    evidence::SrWriter file(path, samplerate, {{"tx", 0}, {"marker", 2}}, 1);
    file.append(wire::to_samples(lanes, 1, SampleIndex{0}, samples));
    file.finish();
}

/// Everything that grows while the sample's trials are made.
struct Making {
    const SampleSpec& spec;
    Scatter scatter = {};
    std::string events;
    std::string console = "~ # cat /proc/printk_test\r\nhz 1000\r\n";
    unsigned trial = 0;
    unsigned certified = 0;
    unsigned rejected = 0;
    double worst_s = 0;
    std::string worst_record = {};
    std::string worst_capture = {};
};

void record_trial(Making& making, const std::string& case_name, const json& parameters, const json& trial,
                  const std::string& record) {
    evidence::TrialRecord entry;
    entry.trial = making.trial;
    entry.case_name = case_name;
    entry.parameters = parameters.get<std::map<std::string, std::int64_t>>();
    entry.nonce = nonce_of(making.trial);
    entry.stimulus = case_name;
    entry.console_from = making.console.size();
    making.console += "~ # sync\r\n" + record;
    making.console +=
        fmt::format("[{:5}.377637] interval={}, jiffies={}\r\n", 12 + making.trial,
                    std::llround(trial["interval_s"]["value"].get<double>() * 1e9), trial["jiffies"].get<int>());
    making.console += making.spec.after_record;
    entry.console_to = making.console.size();
    json event{{"at_ns", making.trial * 1'000'000'000ULL}, {"event", "trial"}};
    event.update(evidence::to_json(entry));
    making.events += event.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json next_trial(Making& making, const std::string& case_name, const json& parameters, std::size_t frames) {
    ++making.trial;
    constexpr unsigned every = 17;  // of these attempts one is held up by the bench and rejected
    const double held_up = making.trial % every == 0 ? 731e-6 : 0;
    auto trial = make_trial(making.spec, making.trial, frames, held_up, making.scatter);
    const auto record = record_text(making.spec, making.trial, frames);
    record_trial(making, case_name, parameters, trial, record);
    if (held_up > 0) return ++making.rejected, trial;
    ++making.certified;
    if (const double irq_off = trial["irq_off_s"]["value"]; irq_off > making.worst_s) {
        making.worst_s = irq_off;
        making.worst_record = record;
        making.worst_capture = trial["capture"];
    }
    return trial;
}

json make_cases(Making& making) {
    constexpr std::size_t sync_frames = 274;
    constexpr std::size_t around = 33;  // frames of prefix, nonce and line ending about a message
    json sync = json::array();
    for (unsigned i = 0; i < making.spec.sync_trials; ++i)
        sync.push_back(next_trial(making, "sync", json::object(), sync_frames));
    json points = json::array();
    for (const auto length : making.spec.lengths) {
        const json parameters{{"length", length}};
        json trials = json::array();
        for (unsigned i = 0; i < making.spec.trials_a_length; ++i)
            trials.push_back(next_trial(making, "length", parameters, length + around));
        points.push_back({{"parameters", parameters}, {"trials", trials}});
    }
    return json::array(
        {{{"case", "sync"}, {"points", json::array({{{"parameters", json::object()}, {"trials", sync}}})}},
         {{"case", "length"}, {"points", points}}});
}

json check(const char* name, const char* kind, const json& measured, const char* unit, const char* limit,
           const char* why) {
    return {{"name", name}, {"kind", kind},   {"verdict", "pass"}, {"figure", measured},
            {"unit", unit}, {"limit", limit}, {"why", why}};
}

json make_checks() {
    return json::array(
        {check("irq_off agrees with wire", "agree", figure(1.6e-4, 0), "s", "3 % + 500 us in every trial",
               "65 of 65 trials agree; the worst, trial 31, is 168 us off where 2.94 ms is allowed"),
         check("marker agrees with irq_off", "agree", figure(6e-6, 0), "s", "300 us in every trial",
               "65 of 65 trials agree; the worst, trial 8, is 6.9 us off where 300 us is allowed"),
         check("lost ticks follow the model", "model", figure(0.4, 0), "ticks",
               "within 1 tick of the model in every trial",
               "65 of 65 trials agree; the worst, trial 12, is 0.62 ticks off where 1.00 ticks is allowed"),
         check("slope of irq_off over frames", "fit", figure(86.803e-6, 0.009e-6), "s per frame", "1 frame ± 3 %",
               "86.803 ± 0.018 us per frame over 47 trials, -0.00 % from 86.805 us")});
}

json make_fits() {
    json fits = json::array();
    for (const auto& [account, slope, intercept] :
         {std::tuple{"wire", frame_s, 0.0}, {"irq_off", frame_s - 2e-9, entry_s + exit_s}})
        fits.push_back({{"case", "length"},
                        {"of", account},
                        {"over", "frames"},
                        {"slope_s_per_frame", figure(slope, 9e-9)},
                        {"intercept_s", figure(intercept, 4.1e-6)},
                        {"residual_rms_s", 24e-6},
                        {"trials", 47}});
    return fits;
}

json head_of_result() {
    return {{"schema", "rig.result/1"}, {"plan", "printk"}, {"station", "versatilepb"}};
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "rig-reports-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw BenchError("a scratch folder cannot be made in " + fs::temp_directory_path().string());
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

json make_sample(const SampleSpec& spec, const fs::path& folder) {
    Making making{.spec = spec, .events = "{\"at_ns\":0,\"event\":\"run\"}\n"};
    json result = head_of_result();
    result["verdict"] = "pass";
    result["culprit"] = nullptr;
    result["cause"] = "all 4 checks passed";
    result["accounts"] = {"wire", "interval", "jiffies", "irq_off", "marker"};
    result["missing"] = json::object();
    const json cases = make_cases(making);
    result["cause"] = fmt::format("all 4 checks passed on {} certified trials", making.certified);
    result["trials"] = {{"attempted", making.trial},
                        {"certified", making.certified},
                        {"rejected", {{spec.reject_reason, making.rejected}}}};
    result["checks"] = make_checks();
    result["cases"] = cases;
    result["fits"] = make_fits();
    result["clocks"] = json::array();
    result["environment"] = {{"analyzer", "BeagleLogic 1.0 (beaglelogic, libsigrok 0.5.2)"},
                             {"baud", "115200"},
                             {"kernel", spec.environment_value},
                             {"kernel command line", "console=ttyAMA0 highres=off nohz=off"},
                             {"rig", "0.1.0"},
                             {"samplerate", "4000000 Hz"},
                             {"started", "2026-11-30T21:04:05Z"}};
    write(folder / "events.jsonl", making.events + "{\"at_ns\":0,\"event\":\"end\"}\n");
    write(folder / "console/main.bytes", making.console);
    write(folder / "plan.yaml", plan_text);
    if (!making.worst_capture.empty())
        write_capture(folder / making.worst_capture, making.worst_record, making.worst_s);
    evidence::write_manifest(folder, {"0.1.0", "printk", "versatilepb", "2026-11-30T21:04:05Z"});
    return result;
}

json make_failed_sample(const fs::path& folder) {
    json result = head_of_result();
    result["verdict"] = "error";
    result["culprit"] = "bench";
    result["cause"] = "the board did not reach its prompt within 60 s: the last bytes were 'Uncompressing Linux...'";
    result["accounts"] = json::array();
    result["missing"] = {{"wire", "no trial came so far"}, {"irq_off", "no trial came so far"}};
    result["trials"] = {{"attempted", 0}, {"certified", 0}, {"rejected", json::object()}};
    result["checks"] = json::array();
    result["cases"] = json::array();
    result["fits"] = json::array();
    result["environment"] = {{"baud", "115200"}};
    write(folder / "events.jsonl",
          "{\"at_ns\":0,\"event\":\"run\"}\n{\"at_ns\":1,\"event\":\"end\",\"failure\":{\"culprit\":\"bench\","
          "\"what\":\"the board did not reach its prompt\",\"hint\":\"look at the boot log; raise boot: within\"}}\n");
    write(folder / "console/main.bytes", "Uncompressing Linux... done, booting the kernel.\r\n");
    return result;
}

}  // namespace rig::reports::testing
