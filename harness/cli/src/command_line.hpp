// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes the command line as plain data, so that completion and manual page agree with it.
#ifndef ARCHGRID_CLI_COMMAND_LINE_HPP
#define ARCHGRID_CLI_COMMAND_LINE_HPP

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace archgrid::cli {

struct OptionText {
  std::vector<std::string> names;  ///< "--device", "--devices", "-h"; "FILE" for a positional
  std::string value;               ///< "GPU,..."; empty for a flag
  bool optional_value = false;     ///< "[=FILE]"
  std::string description;
  std::vector<std::string> words;  ///< known values: "7.5", ... for a GPU
};

struct CommandText {
  std::string name;
  std::string description;
  std::string footer;  ///< examples, exit codes
  std::vector<OptionText> options;
  std::vector<OptionText> positionals;
  std::vector<CommandText> commands;  ///< `perf compare` of `perf`
};

struct CommandLine {
  CommandText top;
  std::vector<CommandText> commands;  ///< only those for people
};

CommandLine read_command_line(CLI::App& app);

/// Reports whether a value is a comma-separated list.
bool is_list(const std::string& value);

}  // namespace archgrid::cli

#endif
