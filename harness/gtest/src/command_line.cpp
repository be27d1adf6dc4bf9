// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/device.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace archgrid::gtest {
namespace {

std::vector<std::string> own_flags(const std::vector<std::string>& arguments) {
  std::vector<std::string> flags;
  std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(flags), is_own_flag);
  return flags;
}

}  // namespace

std::vector<std::string> command_line() {
  std::ifstream stream("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(stream, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

bool is_help(std::string_view argument) {
  return argument == "--help" || argument == "-h" || argument == "-?" || argument == "/?";
}

bool lists_tests(std::string_view argument) {
  constexpr std::string_view kFlag = "--gtest_list_tests";
  return argument.substr(0, kFlag.size()) == kFlag;
}

bool selects_tests(std::string_view argument) {
  constexpr std::string_view kFlag = "--gtest_filter=";
  return argument.substr(0, kFlag.size()) == kFlag;
}

bool is_of_death_test(std::string_view argument) {
  constexpr std::string_view kFlag = "--gtest_internal_run_death_test=";
  return argument.substr(0, kFlag.size()) == kFlag;
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings =
      read_settings(own_flags(arguments), [](const char* name) { return std::getenv(name); });
  if (settings.toolkit.empty()) settings.toolkit = device::text_of_version(CUDART_VERSION);
  settings.program = arguments.empty() ? "" : arguments.front();
  return settings;
}

}  // namespace archgrid::gtest
