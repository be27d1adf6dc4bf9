// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <cctype>
#include <cstdio>
#include <utility>

namespace archgrid::fake_cudart {
namespace {

constexpr const char* kDevices = "ARCHGRID_FAKE_DEVICES";
constexpr const char* kDriver = "ARCHGRID_FAKE_DRIVER";
constexpr const char* kRuntime = "ARCHGRID_FAKE_RUNTIME";
constexpr const char* kFail = "ARCHGRID_FAKE_FAIL";
constexpr const char* kLatency = "ARCHGRID_FAKE_LATENCY";

/// A variable with a value.
struct Variable {
  const char* name;
  std::string value;
};

[[noreturn]] void refuse(const Variable& variable, const std::string& expected,
                         const std::string& item) {
  auto message = std::string(variable.name) + "=" + variable.value + ": expected " + expected;
  if (item != variable.value) message += "; not '" + item + "'";
  throw BadVariable(message);
}

/// Splits a list at commas outside of brackets: kernels' names contain commas, too.
std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  int depth = 0;
  parts.emplace_back();
  for (const char letter : text) {
    if (letter == '<' || letter == '(') ++depth;
    if ((letter == '>' || letter == ')') && depth > 0) --depth;
    if (letter == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::optional<std::uint64_t> parse_count(const std::string& text) {
  constexpr std::size_t kMaxDigits = 18;
  const bool digits = !text.empty() && text.size() <= kMaxDigits &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return std::nullopt;
  return std::stoull(text);
}

int version_number(coverage::Version version) {
  return 1000 * version.major + 10 * version.minor;
}

std::vector<coverage::ComputeCapability> parse_devices(const Variable& variable) {
  std::vector<coverage::ComputeCapability> devices;
  for (const auto& item : items(variable.value)) {
    const auto device = coverage::parse_device(item);
    if (!device) refuse(variable, "compute capabilities that archgrid knows, as in 8.6,9.0", item);
    devices.push_back(*device);
  }
  return devices;
}

// A driver for CUDA 13.5 reads the PTX of that toolkit even if its branch is not known yet.
coverage::Driver known_ptx(coverage::Driver driver, coverage::Version cuda) {
  const auto* toolkit = coverage::table().find_toolkit(cuda);
  if (!driver.beyond || toolkit == nullptr) return driver;
  driver.cuda = cuda;
  driver.ptx_isa = std::max(driver.ptx_isa, toolkit->ptx_isa);
  driver.beyond = false;
  return driver;
}

void parse_driver(const Variable& variable, Settings& settings) {
  const auto& value = variable.value;
  constexpr int kHighestMajor = 99;  // larger numbers are driver branches
  settings.driver = coverage::parse_driver(value);
  const auto version = coverage::parse_version(value);
  const bool is_version = version && version->major <= kHighestMajor && version->minor <= 99;
  if (!settings.driver && !is_version) {
    refuse(variable,
           "the CUDA version that the driver knows, such as 13.0, or its release, such as 580 or "
           "580.65.06",
           value);
  }
  if (is_version && settings.driver) settings.driver = known_ptx(*settings.driver, *version);
  settings.driver_version = version_number(is_version ? *version : settings.driver->cuda);
}

/// Parses "cudaMalloc#3", "launch:tile<3>" or "launch".
Subject parse_subject(const Variable& variable, const std::string& text, const Toolkit& toolkit) {
  const std::string launch = "launch";
  Subject subject;
  auto name = text;
  const auto hash = name.rfind('#');
  if (hash != std::string::npos) {
    const auto occurrence = parse_count(name.substr(hash + 1));
    if (!occurrence || *occurrence == 0) {
      refuse(variable, "a number from 1 after '#', which says which of the calls", text);
    }
    subject.occurrence = *occurrence;
    name.resize(hash);
  }
  if (name == launch) return subject;
  if (name.rfind(launch + ":", 0) == 0) {
    subject.kernel = name.substr(launch.size() + 1);
    if (subject.kernel.empty()) refuse(variable, "a kernel's name after 'launch:'", text);
    return subject;
  }
  const bool is_event = name == kJit || name == kStart;
  if (!is_event && !toolkit.can_fail(name)) {
    refuse(variable,
           "a function of this CUDA runtime that can fail, such as cudaMalloc, or launch, "
           "launch:KERNEL, jit or start before '='",
           text);
  }
  subject.function = name;
  return subject;
}

/// Splits an item at its last '=': operators' names contain one, too.
std::pair<Subject, std::string> parse_rule(const Variable& variable, const std::string& item,
                                           const char* form, const Toolkit& toolkit) {
  const auto equals = item.rfind('=');
  if (equals == std::string::npos) refuse(variable, form, item);
  return {parse_subject(variable, item.substr(0, equals), toolkit), item.substr(equals + 1)};
}

std::vector<Failure> parse_failures(const Variable& variable, const Toolkit& toolkit) {
  std::vector<Failure> failures;
  for (const auto& item : items(variable.value)) {
    auto [subject, text] = parse_rule(variable, item, "CALL=ERROR, such as cudaMalloc=2", toolkit);
    const auto error = toolkit.find_error(text);
    if (!error) {
      refuse(variable,
             "an error of this CUDA runtime after '=', such as 2 or cudaErrorMemoryAllocation",
             item);
    }
    failures.push_back({std::move(subject), *error});
  }
  return failures;
}

std::optional<std::chrono::nanoseconds> parse_time(const std::string& text) {
  struct Unit {
    const char* name;
    std::int64_t nanoseconds;
  };
  constexpr Unit kUnits[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  constexpr std::uint64_t kMost = 3600;  // one hour in seconds; cannot overflow in any unit
  const auto end = text.find_first_not_of("0123456789");
  if (end == std::string::npos) return std::nullopt;
  const auto count = parse_count(text.substr(0, end));
  for (const auto& unit : kUnits) {
    if (!count || text.substr(end) != unit.name) continue;
    if (*count > kMost * 1000000000 / static_cast<std::uint64_t>(unit.nanoseconds)) break;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(*count) * unit.nanoseconds);
  }
  return std::nullopt;
}

std::vector<Latency> parse_latencies(const Variable& variable, const Toolkit& toolkit) {
  std::vector<Latency> latencies;
  for (const auto& item : items(variable.value)) {
    auto [subject, text] = parse_rule(variable, item, "CALL=TIME, such as cudaMalloc=1ms", toolkit);
    const auto time = parse_time(text);
    if (!time) {
      refuse(variable, "a whole number of ns, us, ms or s after '=', an hour at most", item);
    }
    latencies.push_back({std::move(subject), *time});
  }
  return latencies;
}

bool is_on(const std::optional<std::string>& value) {
  return value && !value->empty() && *value != "0";
}

Loading parse_loading(const std::optional<std::string>& value) {
  if (!value || value->empty() || *value == "DEFAULT") return Loading::by_version;
  if (*value == "EAGER") return Loading::eager;
  if (*value == "LAZY") return Loading::lazy;
  refuse({"CUDA_MODULE_LOADING", *value}, "EAGER, LAZY or DEFAULT", *value);
}

/// Returns the number of the device that an item of CUDA_VISIBLE_DEVICES names; nothing if it names
/// none or several.
std::optional<std::size_t> find_device(const std::string& item, std::size_t count) {
  if (const auto index = parse_count(item)) {
    if (*index < count) return static_cast<std::size_t>(*index);
    return std::nullopt;
  }
  if (item.rfind("GPU-", 0) != 0) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t index = 0; index < count; ++index) {
    if (uuid_of(static_cast<int>(index)).rfind(item, 0) != 0) continue;
    if (found) return std::nullopt;
    found = index;
  }
  return found;
}

// The first item that names no device ends the list; a device named twice leaves an empty list.
// Source: CUDA Programming Guide, "CUDA Environment Variables"; the latter is undocumented.
void hide_devices(const std::optional<std::string>& visible, Settings& settings) {
  const auto all = settings.devices;
  settings.devices.clear();
  const auto show = [&](std::size_t index) {
    settings.devices.push_back(all[index]);
    settings.numbers.push_back(static_cast<int>(index));
  };
  if (!visible) {
    for (std::size_t index = 0; index < all.size(); ++index) show(index);
    return;
  }
  for (const auto& item : items(*visible)) {
    const auto index = find_device(item, all.size());
    if (!index) break;
    const auto& numbers = settings.numbers;
    if (std::count(numbers.begin(), numbers.end(), static_cast<int>(*index)) != 0) {
      settings.devices.clear();
      settings.numbers.clear();
      return;
    }
    show(*index);
  }
}

/// Returns a name without result and parameters: "space::tile<3>" for "void
/// space::tile<3>(float*)".
std::string without_signature(const std::string& name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char letter = name[at];
    if (letter == '(' && depth == 0 && name.compare(at, 12, "(anonymous n") != 0) {
      return name.substr(begin, at - begin);
    }
    if (letter == ' ' && depth == 0) begin = at + 1;
    if (letter == '<' || letter == '(') ++depth;
    if (letter == '>' || letter == ')') --depth;
  }
  return name.substr(begin);
}

}  // namespace

std::string uuid_of(int number) {
  char text[64];
  std::snprintf(text, sizeof text, "GPU-%08x-6772-6964-0000-000000000000",
                0x61726368U + static_cast<unsigned>(number));
  return text;
}

bool names_kernel(const std::string& wanted, const std::string& mangled) {
  if (wanted.empty() || wanted == mangled) return true;
  const auto name = fatbin::demangle(mangled);
  return wanted == name || wanted == without_signature(name);
}

Settings read_settings(Environment environment, const Toolkit& toolkit) {
  Settings settings;
  const auto read = [&](const char* name) {
    return Variable{name, environment(name).value_or("")};
  };
  settings.devices = parse_devices(read(kDevices));
  hide_devices(environment("CUDA_VISIBLE_DEVICES"), settings);
  const auto driver = read(kDriver);
  if (!driver.value.empty()) parse_driver(driver, settings);
  settings.runtime_version = toolkit.version;
  const auto runtime = read(kRuntime);
  if (!runtime.value.empty()) {
    const auto version = coverage::parse_version(runtime.value);
    if (!version) refuse(runtime, "a version such as 12.4", runtime.value);
    settings.runtime_version = version_number(*version);
  }
  settings.failures = parse_failures(read(kFail), toolkit);
  settings.latencies = parse_latencies(read(kLatency), toolkit);
  settings.jit_disabled = is_on(environment("CUDA_DISABLE_PTX_JIT"));
  settings.jit_forced = is_on(environment("CUDA_FORCE_PTX_JIT"));
  settings.loading = parse_loading(environment("CUDA_MODULE_LOADING"));
  return settings;
}

}  // namespace archgrid::fake_cudart
