// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig/capture/vcd.hpp"

#include "rig/capture/edge_batches.hpp"
#include "rig/capture/line_reader.hpp"
#include "rig/capture/sample_grid.hpp"
#include "rig/capture/vcd_header.hpp"
#include "rig/capture/vcd_text.hpp"
#include "rig/error.hpp"

#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace rig::capture {

namespace {

/// libsigrok rounds times of a rate that does not go into its unit; the rate being stated, two units tell its grid.
constexpr unsigned units_per_stated_period = 2;
constexpr std::uint64_t picosecond_hz = 1'000'000'000'000;

/// Where a dump's times lie.
struct Times {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t divisor = 0;              // of all differences
    std::optional<SampleRate> stated_rate;  // when all times lie on its grid
};

/// The first reading: what is declared, and the grid of the times.
class Survey : public VcdVisitor {
public:
    void command(std::string_view name, VcdWords& words) override {
        if (begun_ && (name == "$var" || name == "$timescale" || name == "$scope"))
            words.fail(fmt::format("{} stands after the first time", name), "two dumps were joined; take one of them");
        header_.take(name, words);
    }

    void time(std::uint64_t at) override {
        if (!begun_) begin(at);
        if (times_.divisor == 0 || (at - times_.first) % times_.divisor != 0)
            times_.divisor = std::gcd(times_.divisor, at - times_.first);
        times_.last = at;
        if (!stated_) return;
        if (const Femtoseconds time = at * header_.unit(); time <= longest_capture)
            stated_->add(time, header_.unit());
        else
            stated_.reset();
    }

    [[nodiscard]] bool value(std::string_view id, std::string_view /*digits*/) override {
        return header_.signal(id).has_value();
    }

    [[nodiscard]] Times times() const {
        Times times = times_;
        if (stated_) times.stated_rate = stated_->rate();
        return times;
    }
    [[nodiscard]] bool begun() const { return begun_; }
    VcdHeader take_header() { return std::move(header_); }

private:
    void begin(std::uint64_t at) {
        begun_ = true;
        times_.first = at;
        if (const auto rate = header_.stated_rate()) stated_.emplace(std::span(&*rate, 1), units_per_stated_period);
    }

    VcdHeader header_;
    Times times_;
    bool begun_ = false;
    std::optional<GridFinder> stated_;
};

/// The positions that times are put on.
class Positions {
public:
    Positions(const Times& times, Femtoseconds unit)
        : grid_(times.stated_rate.value_or(rate_of(times, unit))),
          unit_(unit),
          // A stated rate's grid begins at time 0, as libsigrok rounds from there.
          origin_(times.stated_rate ? 0 : times.first),
          first_(grid_.sample_at((times.first - origin_) * unit_)) {}

    [[nodiscard]] const SampleGrid& grid() const { return grid_; }
    [[nodiscard]] std::uint64_t of(std::uint64_t time) const {
        return grid_.sample_at((time - origin_) * unit_) - first_;
    }

private:
    static SampleRate rate_of(const Times& times, Femtoseconds unit) {
        const Femtoseconds period = times.divisor * unit;
        if (one_second % period == 0) return SampleRate{static_cast<std::uint64_t>(one_second / period)};
        if (one_second % unit == 0) return SampleRate{static_cast<std::uint64_t>(one_second / unit)};
        return SampleRate{picosecond_hz};
    }

    SampleGrid grid_;
    Femtoseconds unit_;
    std::uint64_t origin_;
    std::uint64_t first_;
};

/// The second reading: the levels of the channels that are wanted.
class Levels : public VcdVisitor {
public:
    Levels(const VcdHeader& header, const Positions& positions, std::span<const std::size_t> channels,
           const StretchSink& sink)
        : header_(header), positions_(positions), batches_(channels.size(), sink), wanted_(header.signals()) {
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const VcdHeader::Place& place = header.places()[channels[i]];
            wanted_[place.signal].push_back({place.bit, i});
        }
    }

    void command(std::string_view name, VcdWords& words) override {
        while (words.next_before_end(name)) {
        }
    }

    void time(std::uint64_t at) override { now_ = positions_.of(at); }

    [[nodiscard]] bool value(std::string_view id, std::string_view digits) override {
        const auto signal = header_.signal(id);
        if (!signal) return false;
        for (const Wanted& wanted : wanted_[*signal])
            if (const auto level = vcd_level(vcd_digit(digits, wanted.bit))) batches_.set(wanted.channel, now_, *level);
        return true;
    }

    void finish() { batches_.finish(now_ + 1); }

private:
    struct Wanted {
        std::size_t bit = 0;
        std::size_t channel = 0;
    };

    const VcdHeader& header_;
    const Positions& positions_;
    EdgeBatches batches_;
    std::vector<std::vector<Wanted>> wanted_;
    std::uint64_t now_ = 0;
};

void check_survey(const std::filesystem::path& path, const VcdHeader& header, const Survey& survey) {
    const std::string name = path.string();
    if (header.unit() == 0)
        throw PlanError(fmt::format("{}: has no $timescale, so its times have no unit", name),
                        "add a line such as: $timescale 1 ns $end; if it has no $ at all, it is no VCD");
    if (header.channels().empty())
        throw PlanError(fmt::format("{}: declares no logic signal", name),
                        "reals and strings are no levels of a line; dump a wire, reg or logic");
    const Times times = survey.times();
    if (!survey.begun() || times.first == times.last)
        throw PlanError(fmt::format("{}: has {}, so nothing in it takes any time", name,
                                    survey.begun() ? fmt::format("one time only, #{}", times.first) : "no time"),
                        "record until the line has moved; a VCD has at least two times");
}

class VcdSource : public Source {
public:
    VcdSource(std::filesystem::path path, VcdHeader header, const Positions& positions)
        : path_(std::move(path)), header_(std::move(header)), positions_(positions) {}

    [[nodiscard]] SampleRate rate() const override { return positions_.grid().rate(); }
    [[nodiscard]] const std::vector<Channel>& channels() const override { return header_.channels(); }

    void read(std::span<const std::size_t> channels, const StretchSink& sink, const ProgressSink& progress) override {
        check_selection(channels, header_.channels().size());
        LineReader lines(path_, progress);
        Levels levels(header_, positions_, channels, sink);
        visit_vcd(lines, levels);
        levels.finish();
    }

private:
    std::filesystem::path path_;
    VcdHeader header_;
    Positions positions_;
};

}  // namespace

std::unique_ptr<Source> open_vcd(const std::filesystem::path& path) {
    LineReader lines(path);
    Survey survey;
    visit_vcd(lines, survey);
    VcdHeader header = survey.take_header();
    check_survey(path, header, survey);
    header.finish(path);
    const Times times = survey.times();
    if (const Femtoseconds length = (times.last - times.first) * header.unit(); length > longest_capture)
        check_length(path, length, SampleGrid(SampleRate{1}));
    const Positions positions(times, header.unit());
    check_length(path, (times.last - times.first) * header.unit(), positions.grid());
    return std::make_unique<VcdSource>(path, std::move(header), positions);
}

}  // namespace rig::capture
