// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "settings.hpp"

#include <algorithm>
#include <archgrid/coverage/table.hpp>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string_view>

namespace archgrid::gtest {
namespace {

constexpr std::string_view kFlagPrefix = "--archgrid_";
constexpr std::array<std::string_view, 12> kNames = {"device", "require_gpu", "matrix",  "toolkit",
                                                     "cell",   "arch",        "json",    "empty",
                                                     "load",   "seed",        "timeout", "suite"};

// Variables that other parts of archgrid read: setup, modules and presets, benchmarks, and this
// library itself. CMake reads ARCHGRID_ROOT to find archgrid.
constexpr std::array<std::string_view, 13> kOtherVariables = {
    "ARCHGRID_COMMAND",     "ARCHGRID_COMMANDS",      "ARCHGRID_ROOT",    "ARCHGRID_CLOCKS",
    "ARCHGRID_COMPILERS",   "ARCHGRID_DEBIAN_MIRROR", kGpuOfDeathTests,   kRecordVariable,
    "ARCHGRID_PERF_RECORD", "ARCHGRID_TOOLKITS",      "ARCHGRID_MODULES", "ARCHGRID_PRESET",
    "ARCHGRID_WERROR"};
constexpr std::string_view kVariablePrefix = "ARCHGRID_";
constexpr std::string_view kFakePrefix = "ARCHGRID_FAKE_";

/// A value, and its name as the user wrote it.
struct Given {
  std::string name;
  std::string value;
};
using Values = std::map<std::string, Given, std::less<>>;

[[noreturn]] void refuse(const Given& given, const std::string& expected) {
  throw UsageError(given.name + "=" + given.value + ": expected " + expected);
}

std::string variable_of(std::string_view name) {
  std::string variable = std::string(kVariablePrefix) + std::string(name);
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return variable;
}

bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_known_variable(std::string_view name) {
  const auto is_it = [&](std::string_view known) { return variable_of(known) == name; };
  return begins(name, kFakePrefix) || std::any_of(kNames.begin(), kNames.end(), is_it) ||
         std::find(kOtherVariables.begin(), kOtherVariables.end(), name) != kOtherVariables.end();
}

std::string known_flags() {
  std::string text;
  for (std::string_view name : kNames) text += " " + std::string(kFlagPrefix) + std::string(name);
  return text;
}

void add_flag(const std::string& flag, Values& values) {
  const std::size_t equals = flag.find('=');
  const std::string name = flag.substr(kFlagPrefix.size(), equals - kFlagPrefix.size());
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
    throw UsageError("unknown flag " + flag + "; known are" + known_flags());
  }
  const bool has_value = equals != std::string::npos;
  if (!has_value && name != "require_gpu") throw UsageError(flag + ": a value is missing");
  values[name] = {flag.substr(0, equals), has_value ? flag.substr(equals + 1) : "1"};
}

Values collect(const std::vector<std::string>& flags, const Environment& environment) {
  Values values;
  for (std::string_view name : kNames) {
    const std::string variable = variable_of(name);
    const char* value = environment(variable.c_str());
    if (value != nullptr && *value != '\0') values[std::string(name)] = {variable, value};
  }
  for (const std::string& flag : flags) add_flag(flag, values);
  return values;
}

bool read_switch(const Given& given) {
  if (given.value == "1") return true;
  if (given.value == "0") return false;
  refuse(given, "1 or 0");
}

device::Capability read_device(const Given& given) {
  const auto device = coverage::parse_device(given.value);
  if (!device) refuse(given, "the compute capability of a GPU that exists, such as 9.0");
  return {device->major, device->minor};
}

std::string read_toolkit(const Given& given) {
  if (!coverage::parse_version(given.value)) refuse(given, "a CUDA version such as 13.0");
  return given.value;
}

std::string read_arch(const Given& given) {
  std::string_view arch = given.value;
  for (std::string_view form : {"-real", "-virtual"}) {
    const std::size_t at = arch.find(form);
    if (at != std::string_view::npos && at + form.size() == arch.size()) arch = arch.substr(0, at);
  }
  if (!coverage::parse_arch(arch)) refuse(given, "an arch that exists, such as 90a");
  return given.value;
}

std::string read_file_name(const Given& given) {
  if (!std::filesystem::is_regular_file(given.value)) refuse(given, "a matrix file that exists");
  return given.value;
}

/// Reports whether tests that launch no kernel fail.
bool read_empty(const Given& given) {
  if (given.value == "fail") return true;
  if (given.value == "report") return false;
  refuse(given, "report or fail");
}

Load read_load(const Given& given) {
  if (given.value == "as-built") return Load::as_built;
  if (given.value == "jit") return Load::jit;
  if (given.value == "eager") return Load::eager;
  refuse(given, "as-built, jit or eager");
}

std::uint64_t read_seed(const Given& given) {
  const std::string& text = given.value;
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || text.size() > 19) refuse(given, "a whole number of at most 19 digits");
  return std::stoull(text);
}

double read_timeout(const Given& given) {
  double seconds = 0;
  char rest = 0;
  if (std::sscanf(given.value.c_str(), "%lf%c", &seconds, &rest) != 1 || !(seconds > 0) ||
      seconds > 1e6) {
    refuse(given, "a number of seconds above 0");
  }
  return seconds;
}

/// Reads the GPU number from ctest's "id:0,slots:1".
std::optional<int> allotted_gpu(const Environment& environment) {
  const char* text = environment("CTEST_RESOURCE_GROUP_0_GPUS");
  if (text == nullptr) return std::nullopt;
  int gpu = 0;
  int slots = 0;
  if (std::sscanf(text, "id:%4d,slots:%4d", &gpu, &slots) != 2 || gpu < 0) {
    refuse({"CTEST_RESOURCE_GROUP_0_GPUS", text},
           "id:N,slots:M with the number of one GPU; give each GPU its number as its id in ctest's "
           "resource specification");
  }
  return gpu;
}

}  // namespace

bool is_own_flag(std::string_view argument) {
  return begins(argument, kFlagPrefix);
}

std::string help_text() {
  return R"(archgrid, by flag or by environment variable (ARCHGRID_DEVICE=9.0 and so on):
  --archgrid_device=9.0        the GPU that must be there
  --archgrid_require_gpu       having none, or a wrong one, is a failure
  --archgrid_matrix=FILE       matrix file whose promises say which verdicts are accepted
  --archgrid_toolkit=13.5      the toolkit that the promises are asked for
  --archgrid_arch=90a          the one arch that all was compiled for
  --archgrid_cell=NAME         named in messages
  --archgrid_json=FILE         a record of the run; with a / at its end a folder
  --archgrid_empty=fail        a test that launches no kernel fails (default: report)
  --archgrid_load=jit          compile every kernel from its PTX; eager: load all at the start
                               (default: as-built)
  --archgrid_seed=N            what the seeds of all tests come from (default: 1)
  --archgrid_timeout=SECONDS   for the start and for each test, after which the program ends itself
                               (default: never)
  --archgrid_suite=SUITE       run the tests of this suite alone
)";
}

void expect_known_variables(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!begins(name, kVariablePrefix) || is_known_variable(name)) continue;
    std::string known;
    for (std::string_view option : kNames) known += " " + variable_of(option);
    throw UsageError("unknown environment variable " + name + ": unset it; known are" + known);
  }
}

Settings read_settings(const std::vector<std::string>& flags, const Environment& environment) {
  Settings settings;
  for (const auto& [name, given] : collect(flags, environment)) {
    if (given.value.empty()) continue;
    if (name == "device") settings.device = read_device(given);
    if (name == "require_gpu") settings.require_gpu = read_switch(given);
    if (name == "matrix") settings.matrix = read_file_name(given);
    if (name == "cell") settings.cell = given.value;
    if (name == "toolkit") settings.toolkit = read_toolkit(given);
    if (name == "arch") settings.arch = read_arch(given);
    if (name == "json") settings.json = given.value;
    if (name == "empty") settings.fail_empty = read_empty(given);
    if (name == "load") settings.load = read_load(given);
    if (name == "seed") settings.seed = read_seed(given);
    if (name == "timeout") settings.timeout = read_timeout(given);
    if (name == "suite") settings.suite = given.value;
  }
  if (const char* const record = environment(kRecordVariable)) settings.record = record;
  settings.gpu = allotted_gpu(environment);
  return settings;
}

}  // namespace archgrid::gtest
