// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <archgrid/promises/lists.hpp>
#include <filesystem>
#include <set>

namespace archgrid::cli {
namespace {

std::string commands_for(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".json") return "archgrid matrix " + file;
  return fmt::format("archgrid audit {} --gpu 8.0,9.0, or archgrid list {}", file, file);
}

/// Returns "perf compare".
std::string name_of(const CLI::App& command) {
  const auto* outer = command.get_parent();
  const bool is_inner = outer != nullptr && outer->get_parent() != nullptr;
  return (is_inner ? name_of(*outer) + " " : "") + command.get_name();
}

/// Returns the error for an unknown option after a command.
UsageError no_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto* option : command.get_options({})) {
    for (const auto& name : option->get_lnames()) {
      if (name != "help") names.push_back("--" + name);  // a mistyped --help prints help anyway
    }
    for (const auto& name : option->get_snames()) known.insert("-" + name);
  }
  known.insert(names.begin(), names.end());
  const auto typed = word.substr(0, word.find('='));
  if (known.count(typed) != 0) {
    return UsageError(fmt::format("\"{}\" goes after the command: archgrid {} {} ...", typed,
                                  name_of(command), word));
  }
  const auto meant = coverage::nearest(typed, names);
  return UsageError(fmt::format("{}: \"{}\" is no option: {}archgrid {} --help shows all",
                                name_of(command), typed,
                                meant.empty() ? "" : "write " + meant + "; ", name_of(command)));
}

/// Returns "FILE" for --html; "a value" if the option has no text.
std::string value_of(const CLI::App& command, const std::string& name) {
  const auto* option = command.get_option_no_throw(name);
  const auto value = option == nullptr ? std::string() : option->get_option_text();
  return value.empty() ? "a value" : value;
}

/// Returns CLI11's message, and where to find the fix.
std::string text_of(const CLI::App& command, const CLI::ParseError& error) {
  const std::string said = error.what();
  const auto kind = error.get_name();
  if (kind == "ValidationError") return said;  // of our own validators, with a fix
  if (kind == "ArgumentMismatch" && said.ends_with(" missing")) {
    const auto name = said.substr(0, said.find(':'));
    return fmt::format("{} needs a value: write {} {}", name, name, value_of(command, name));
  }
  return fmt::format("{}: archgrid {} --help has examples", said, name_of(command));
}

/// Throws UsageError if a group of commands is called without one of its commands.
void expect_inner_command(const CLI::App& command, const std::vector<std::string>& left) {
  std::vector<std::string> names;
  for (const auto* inner : command.get_subcommands({})) names.push_back(inner->get_name());
  if (names.empty()) return;
  const auto choice = promises::either(names);
  if (left.empty()) throw UsageError(fmt::format("{}: write {}", name_of(command), choice));
  throw UsageError(
      fmt::format("\"{}\" is no command of {}: write {}", left.front(), name_of(command), choice));
}

/// Returns the command whose arguments were read last: `perf compare` rather than `perf`.
CLI::App* innermost(CLI::App* command) {
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

}  // namespace

std::vector<std::string> commands_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

UsageError no_command(CLI::App& app, const std::string& word) {
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) {
    return UsageError(
        fmt::format("{} is a file, and a command comes before it: {}", word, commands_for(word)));
  }
  return UsageError(promises::unknown_word(word, "command", commands_of(app)));
}

void refuse_lost_values(CLI::App& app) {
  for (auto* command : app.get_subcommands({})) {
    refuse_lost_values(*command);
    for (auto* option : command->get_options({})) {
      if (option->get_positional() || option->get_items_expected_min() == 0) continue;
      option->check(CLI::Validator(
          [command, option](const std::string& text) -> std::string {
            if (text.empty()) return "it takes a value, and \"\" is none: leave it out";
            const bool is_option =
                text.rfind("--", 0) == 0 && command->get_option_no_throw(text) != nullptr;
            if (!is_option) return {};
            return fmt::format("it takes a value, and {} is an option: write {} {}", text,
                               option->get_name(), value_of(*command, option->get_name()));
          },
          ""));
    }
  }
}

int refuse(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto commands = app.get_subcommands();
  if (!commands.empty()) {
    const auto& command = *innermost(commands.front());
    const auto left = app.remaining(true);
    expect_inner_command(command, left);
    // Another missing argument may follow from the mistyped option.
    const auto option = std::find_if(left.begin(), left.end(),
                                     [](const auto& word) { return word.starts_with('-'); });
    if (option != left.end()) throw no_option(command, *option);
    throw UsageError(fmt::format("{}: {}", name_of(command), text_of(command, error)));
  }
  if (error.get_name() != "RequiredError") throw UsageError(error.what());
  const auto words = app.remaining();
  if (!words.empty()) throw no_command(app, words.front());
  fmt::print(stderr, "{}", app.help());
  return kTrouble;
}

}  // namespace archgrid::cli
