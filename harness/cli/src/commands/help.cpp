// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "refusal.hpp"

namespace archgrid::cli {
namespace {

struct HelpOptions {
  std::string topic;
  CLI::App* app = nullptr;
};

int run_help(const HelpOptions& options) {
  auto& app = *options.app;
  const auto topic = options.topic;
  const auto names = commands_of(app);
  app.clear();  // otherwise the help of `help` is shown
  if (topic.empty()) {
    print(stdout, app.help());
  } else if (std::find(names.begin(), names.end(), topic) != names.end()) {
    print(stdout, app.get_subcommand(topic)->help(app.get_name()));
  } else {
    throw no_command(app, topic);
  }
  return kHolds;
}

}  // namespace

void add_help(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("help", "Show this, or the help of a command");
  auto& options = options_of(*command, run, run_help);
  options.app = &app;
  complete_by(command->add_option("COMMAND", options.topic, "Command to explain"),
              commands_of(app));
}

}  // namespace archgrid::cli
