// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line as plain data: completion and manual page cannot differ from it.
#ifndef ARCHGRID_CLI_COMMAND_LINE_HPP
#define ARCHGRID_CLI_COMMAND_LINE_HPP

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace archgrid::cli {

struct OptionText {
  std::vector<std::string> names;  ///< "--device", "--devices", "-h"; of a positional "FILE"
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
  std::vector<CommandText> commands;  ///< those for people
};

CommandLine read_command_line(const CLI::App& app);

/// The words that a value of this kind may be, as far as they are known: "GPU" -> "7.5", ...
std::vector<std::string> words_for(const std::string& value);

/// Whether a value is a list with commas.
bool is_list(const std::string& value);

/// What a user sources, or a package installs, so that `shell` completes archgrid's words. Throws
/// UsageError unless it is bash, zsh or fish.
std::string completion_script(const CommandLine& line, const std::string& shell);

/// The manual page, for man(1).
std::string manual_page(const CommandLine& line, const std::string& version);

}  // namespace archgrid::cli

#endif
