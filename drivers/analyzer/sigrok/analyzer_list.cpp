// SPDX-License-Identifier: GPL-3.0-or-later
#include "drivers/analyzer/sigrok/analyzer_list.hpp"

#include <libsigrokcxx/libsigrokcxx.hpp>

namespace drivers {
namespace {

/// Oscilloscopes with logic probes are left alone: their scan talks to whatever has a USBTMC interface.
bool is_logic_analyzer(const sigrok::Driver& driver) {
    const auto keys = driver.config_keys();
    return keys.contains(sigrok::ConfigKey::LOGIC_ANALYZER) && !keys.contains(sigrok::ConfigKey::OSCILLOSCOPE) &&
           !keys.contains(sigrok::ConfigKey::DEMO_DEV);
}

}  // namespace

std::vector<FoundAnalyzer> list_analyzers() {
    const auto context = sigrok::Context::create();
    context->set_log_level(sigrok::LogLevel::NONE);
    std::vector<FoundAnalyzer> found;
    for (const auto& [name, driver] : context->drivers()) {
        if (!is_logic_analyzer(*driver)) continue;
        try {
            for (const auto& device : driver->scan()) {
                FoundAnalyzer analyzer{name, device->vendor(), device->model(), device->version(), {}};
                for (const auto& channel : device->channels()) analyzer.channels.push_back(channel->name());
                found.push_back(std::move(analyzer));
            }
        } catch (const sigrok::Error&) {
            continue;  // a driver that cannot scan here has found nothing
        }
    }
    return found;
}

}  // namespace drivers
