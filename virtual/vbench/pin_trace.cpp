// SPDX-License-Identifier: GPL-3.0-or-later
#include "pin_trace.hpp"

#include <charconv>

namespace vbench {

namespace {

constexpr std::uint64_t direction_register = 0x400;

/// Takes text off the front of a line, step by step; every step fails once one has failed.
class LineReader {
public:
    explicit LineReader(std::string_view text) : rest_(text) {}

    bool skip(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    template <typename Number>
    bool number(Number& value, int base) {
        const char* const begin = rest_.data();
        const auto [end, error] = std::from_chars(begin, begin + rest_.size(), value, base);
        if (error != std::errc{}) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - begin));
        return true;
    }

    bool word(std::string_view& value) {
        value = rest_.substr(0, rest_.find(' '));
        rest_.remove_prefix(value.size());
        return !value.empty();
    }

    [[nodiscard]] bool at_end() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

bool read_time(LineReader& line, std::chrono::microseconds& time) {
    std::uint64_t process = 0;
    std::int64_t seconds = 0;
    std::int64_t microseconds = 0;
    if (!line.number(process, 10) || !line.skip("@")) return false;
    if (!line.number(seconds, 10) || !line.skip(".")) return false;
    if (!line.number(microseconds, 10) || !line.skip(":")) return false;
    time = std::chrono::seconds(seconds) + std::chrono::microseconds(microseconds);
    return true;
}

/// Devices of one parent differ in the number at the end only, so the shorter name holds the lower number.
bool is_before(std::string_view device, std::string_view other) {
    return device.size() != other.size() ? device.size() < other.size() : device < other;
}

}  // namespace

std::optional<PinTraceEvent> parse_pin_trace(std::string_view text) {
    LineReader line(text);
    PinTraceEvent event{};
    if (!read_time(line, event.realtime)) return std::nullopt;
    if (line.skip("pl061_write ")) {
        event.kind = PinTraceEvent::Kind::write;
        const bool complete = line.word(event.device) && line.skip(" offset 0x") && line.number(event.offset, 16) &&
                              line.skip(" value 0x") && line.number(event.value, 16) && line.at_end();
        return complete ? std::optional(event) : std::nullopt;
    }
    if (line.skip("pl061_reset ")) {
        event.kind = PinTraceEvent::Kind::reset;
        const bool complete = line.word(event.device) && line.skip(" reset") && line.at_end();
        return complete ? std::optional(event) : std::nullopt;
    }
    return std::nullopt;
}

void Pl061::apply(const PinTraceEvent& event) {
    if (event.kind == PinTraceEvent::Kind::reset) {
        data_ = 0;
        direction_ = 0;
    } else if (event.offset < direction_register) {
        const auto mask = static_cast<std::uint8_t>((event.offset >> 2) & direction_);
        data_ = static_cast<std::uint8_t>((data_ & ~mask) | (event.value & mask));
    } else if (event.offset == direction_register) {
        direction_ = static_cast<std::uint8_t>(event.value);
    }
}

Level Pl061::level(unsigned pin) const {
    return ((data_ & direction_) >> pin & 1) != 0 ? Level::high : Level::low;
}

std::optional<Level> MarkerPin::apply(const PinTraceEvent& event) {
    if (device_.empty() || is_before(event.device, device_)) {
        device_ = event.device;
        block_ = Pl061();
    }
    if (event.device != device_) return std::nullopt;
    block_.apply(event);
    return block_.level(pin_);
}

}  // namespace vbench
