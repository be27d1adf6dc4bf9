// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

/// Escapes text for troff: no line is a request, and hyphens are those of a command line.
std::string troff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string verbatim(const std::string& text) {
  return text.empty() ? std::string() : fmt::format(".PP\n.nf\n{}\n.fi\n", troff(text));
}

std::string option_page(const OptionText& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", troff(name)));
  std::string value;
  if (!option.value.empty()) value = fmt::format(" \\fI{}\\fR", troff(option.value));
  if (option.optional_value) value = fmt::format("[=\\fI{}\\fR]", troff(option.value));
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "), value, troff(option.description));
}

/// Returns the page of a command. `name` includes its outer commands.
std::string command_page(const CommandText& command, const std::string& name) {
  if (!command.commands.empty()) {
    std::string pages;
    for (const auto& inner : command.commands) {
      pages += command_page(inner, name + " " + inner.name);
    }
    return pages;
  }
  std::string arguments;
  for (const auto& positional : command.positionals) {
    arguments += fmt::format(" \\fI{}\\fR", troff(positional.names.front()));
  }
  auto page =
      fmt::format(".SS \"archgrid {}\"\n\\fBarchgrid {}\\fR [\\fIoptions\\fR]{}\n.PP\n{}.\n", name,
                  name, arguments, troff(command.description));
  for (const auto& positional : command.positionals) page += option_page(positional);
  for (const auto& option : command.options) page += option_page(option);
  return page + verbatim(command.footer);
}

/// Returns the manual page, for man(1).
std::string manual_page(const CommandLine& line, const std::string& version) {
  auto page = fmt::format(
      ".TH ARCHGRID 1 \"\" \"archgrid {}\"\n.SH NAME\narchgrid \\- audits CUDA code for every GPU "
      "that it promises to support\n.SH SYNOPSIS\n\\fBarchgrid\\fR \\fIcommand\\fR "
      "[\\fIargument\\fR...]\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n",
      troff(version), troff(line.top.description));
  for (const auto& option : line.top.options) page += option_page(option);
  page += ".SH COMMANDS\n";
  for (const auto& command : line.commands) page += command_page(command, command.name);
  return page + ".SH EXAMPLES, ENVIRONMENT AND EXIT CODES\n" + verbatim(line.top.footer);
}

struct ManOptions {
  CLI::App* app = nullptr;
};

int run_man(const ManOptions& options) {
  print(stdout, manual_page(read_command_line(*options.app), kVersion));
  return kHolds;
}

}  // namespace

void add_man(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("man", "Write the manual page");
  options_of(*command, run, run_man).app = &app;
  command->footer("Examples:\n  archgrid man | man -l -");
}

}  // namespace archgrid::cli
