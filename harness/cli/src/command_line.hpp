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

CommandLine read_command_line(const CLI::App& app);

/// Returns the known words for a value of this kind: "7.5", ... for "GPU".
std::vector<std::string> words_for(const std::string& value);

/// Reports whether a value is a comma-separated list.
bool is_list(const std::string& value);

/// Returns a script that completes archgrid's words in `shell`, to source or to install. Throws
/// UsageError unless `shell` is bash, zsh or fish.
std::string completion_script(const CommandLine& line, const std::string& shell);

/// Returns the manual page, for man(1).
std::string manual_page(const CommandLine& line, const std::string& version);

}  // namespace archgrid::cli

#endif
