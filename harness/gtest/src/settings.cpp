// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "settings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <string_view>

namespace archgrid::gtest {
namespace {

constexpr std::string_view kFlagPrefix = "--archgrid_";
constexpr std::array<std::string_view, 6> kNames = {"device",  "require_gpu", "matrix",
                                                    "toolkit", "cell",        "arch"};

/// A value, and how the user wrote its name.
struct Given {
  std::string name;
  std::string value;
};
using Values = std::map<std::string, Given, std::less<>>;

[[noreturn]] void refuse(const Given& given, const std::string& expected) {
  throw UsageError(given.name + "=" + given.value + ": expected " + expected);
}

std::string variable_of(std::string_view name) {
  std::string variable = "ARCHGRID_" + std::string(name);
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return variable;
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
  const auto capability = device::parse_capability(given.value);
  if (!capability) refuse(given, "a compute capability such as 9.0");
  return *capability;
}

std::string read_matching(const Given& given, const char* pattern, const std::string& expected) {
  if (!std::regex_match(given.value, std::regex(pattern))) refuse(given, expected);
  return given.value;
}

std::string read_file_name(const Given& given) {
  if (!std::filesystem::is_regular_file(given.value)) refuse(given, "a matrix file that exists");
  return given.value;
}

std::optional<int> allotted_gpu(const Environment& environment) {
  const char* text = environment("CTEST_RESOURCE_GROUP_0_GPUS");
  if (text == nullptr) return std::nullopt;
  const std::string allotment = text;
  std::smatch match;
  if (!std::regex_match(allotment, match, std::regex("id:([0-9]{1,4}),slots:[0-9]+"))) {
    refuse({"CTEST_RESOURCE_GROUP_0_GPUS", allotment},
           "id:N,slots:M with the number of one GPU; give each GPU its number as its id in ctest's "
           "resource specification");
  }
  return std::stoi(match[1].str());
}

}  // namespace

std::vector<std::string> take_flags(int& argc, char** argv) {
  std::vector<std::string> flags;
  const auto is_ours = [](const char* argument) {
    return std::string_view(argument).substr(0, kFlagPrefix.size()) == kFlagPrefix;
  };
  int kept = std::min(argc, 1);
  for (int i = 1; i < argc; ++i) {
    if (is_ours(argv[i])) {
      flags.emplace_back(argv[i]);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[kept] = nullptr;
  return flags;
}

Settings read_settings(const std::vector<std::string>& flags, const Environment& environment) {
  Settings settings;
  for (const auto& [name, given] : collect(flags, environment)) {
    if (given.value.empty()) continue;
    if (name == "device") settings.device = read_device(given);
    if (name == "require_gpu") settings.require_gpu = read_switch(given);
    if (name == "matrix") settings.matrix = read_file_name(given);
    if (name == "cell") settings.cell = given.value;
    if (name == "toolkit") {
      settings.toolkit = read_matching(given, "[0-9]+[.][0-9]+", "a CUDA version such as 13.0");
    }
    if (name == "arch") {
      settings.arch = read_matching(given, "[0-9]+[af]?(-real|-virtual)?", "an arch such as 90a");
    }
  }
  settings.gpu = allotted_gpu(environment);
  return settings;
}

}  // namespace archgrid::gtest
