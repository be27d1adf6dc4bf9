// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <archgrid/coverage.hpp>
#include <set>

#include "commands.hpp"

namespace archgrid::cli {
namespace {

OptionText read_option(const CLI::Option& option) {
  OptionText text;
  text.description = option.get_description();
  text.value = option.get_option_text();
  if (option.get_positional()) {
    text.names = {option.get_name(true)};
    return text;
  }
  for (const auto& name : option.get_lnames()) text.names.push_back("--" + name);
  for (const auto& name : option.get_snames()) text.names.push_back("-" + name);
  text.optional_value = text.value.rfind("[=", 0) == 0;
  if (text.optional_value) text.value = text.value.substr(2, text.value.size() - 3);
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value && text.value.empty()) text.value = option.get_type_name();
  return text;
}

CommandText read_command(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const auto* option : app.get_options({})) {
    if (option->get_group().empty()) continue;
    auto& list = option->get_positional() ? text.positionals : text.options;
    list.push_back(read_option(*option));
  }
  for (const auto* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) text.commands.push_back(read_command(*command));
  }
  return text;
}

/// Returns "FILE" for "FILE...", "[FILE,...]".
std::string kind_of(const std::string& value) {
  return value.substr(0, value.find_first_of(",."));
}

}  // namespace

CommandLine read_command_line(const CLI::App& app) {
  CommandLine line{read_command(app), {}};
  line.commands = std::move(line.top.commands);
  return line;
}

std::vector<std::string> words_for(const std::string& value) {
  const auto kind = kind_of(value);
  const auto& table = coverage::table();
  std::vector<std::string> words;
  if (kind == "GPU") {
    for (const auto& row : table.architectures) words.push_back(row.device.text());
  } else if (kind == "VERDICT") {
    for (int index = 0; index <= static_cast<int>(coverage::Verdict::empty); ++index) {
      words.emplace_back(coverage::name_of(static_cast<coverage::Verdict>(index)));
    }
  } else if (kind == "TOOLKIT") {
    for (const auto& toolkit : table.toolkits) words.push_back(toolkit.cuda.text());
  } else if (kind == "DRIVER") {
    for (const auto& driver : table.drivers) words.push_back(std::to_string(driver.branch));
  } else if (kind == "ARCH") {
    for (const auto& row : table.architectures) {
      words.push_back(std::to_string(row.number));
      for (const char suffix : row.suffixes) words.push_back(std::to_string(row.number) + suffix);
    }
  } else if (kind == "ORDER") {
    words = list_orders();
  } else if (kind == "KIND") {
    words = list_kinds();
  } else if (kind == "SHELL") {
    words = {"bash", "zsh", "fish"};
  }
  return words;
}

bool is_list(const std::string& value) {
  return value.find(',') != std::string::npos;
}

}  // namespace archgrid::cli
