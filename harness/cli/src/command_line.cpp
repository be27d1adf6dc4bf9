// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <utility>

#include "options.hpp"

namespace archgrid::cli {
namespace {

OptionText read_option(CLI::Option& option) {
  OptionText text;
  text.words = completions_of(option);
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

CommandText read_command(CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (auto* option : app.get_options({})) {
    if (option->get_group().empty()) continue;
    auto& list = option->get_positional() ? text.positionals : text.options;
    list.push_back(read_option(*option));
  }
  for (auto* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) text.commands.push_back(read_command(*command));
  }
  return text;
}

}  // namespace

CommandLine read_command_line(CLI::App& app) {
  CommandLine line{read_command(app), {}};
  line.commands = std::move(line.top.commands);
  return line;
}

bool is_list(const std::string& value) {
  return value.find(',') != std::string::npos;
}

}  // namespace archgrid::cli
