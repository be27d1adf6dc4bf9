// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "command_line.hpp"
#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

std::vector<std::string> names_of(const CommandLine& line) {
  std::vector<std::string> names;
  for (const auto& command : line.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> all_names(const std::vector<OptionText>& options) {
  std::vector<std::string> names;
  for (const auto& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// Returns the words that may follow without an option: commands for `help`, shells for
/// `completion`.
std::vector<std::string> positional_words(const CommandText& command) {
  if (command.commands.empty()) {
    return command.positionals.empty() ? std::vector<std::string>()
                                       : command.positionals.front().words;
  }
  std::vector<std::string> names;
  for (const auto& inner : command.commands) names.push_back(inner.name);
  return names;
}

/// Adds the options of the inner commands, which are offered after `perf`, too.
void add_inner_options(CommandText& command) {
  std::set<std::string> known;
  for (const auto& option : command.options) known.insert(option.names.front());
  for (const auto& inner : command.commands) {
    for (const auto& option : inner.options) {
      if (known.insert(option.names.front()).second) command.options.push_back(option);
    }
  }
}

// --- bash ---

constexpr const char* kBashBegin =
    R"(# Completion of archgrid for bash: source it, or put it where bash-completion looks.
_archgrid() {
  local current=${COMP_WORDS[COMP_CWORD]} option="" words="" list=no begin=""
  [ "$COMP_CWORD" -lt 2 ] || option=${COMP_WORDS[COMP_CWORD - 1]}
  # Bash takes --option=value for three words.
  if [ "$current" = = ]; then
    current=""
  elif [ "$option" = = ]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -lt 2 ]; then
)";

constexpr const char* kBashEnd = R"(  fi
  if [ "$list" = yes ] && [[ $current == *,* ]]; then
    begin=${current%,*},
    current=${current##*,}
  fi
  COMPREPLY=($(compgen -P "$begin" -W "$words" -- "$current"))
  [ "$list" = no ] || compopt -o nospace
}
complete -o default -F _archgrid archgrid
)";

std::string bash_command(const CommandText& command) {
  std::string text = fmt::format("      {})\n        case $option in\n", command.name);
  for (const auto& option : command.options) {
    if (option.value.empty() || option.optional_value) continue;
    text += fmt::format("          {})", fmt::join(option.names, " | "));
    const auto& words = option.words;
    if (!words.empty()) text += fmt::format(" words=\"{}\"", fmt::join(words, " "));
    if (is_list(option.value)) text += " list=yes";
    text += " ;;\n";
  }
  text += fmt::format(
      "          *)\n            words=\"{}\"\n"
      "            [[ $current == -* ]] && words=\"{}\"\n            ;;\n"
      "        esac\n        ;;\n",
      fmt::join(positional_words(command), " "), fmt::join(all_names(command.options), " "));
  return text;
}

std::string bash_script(const CommandLine& line) {
  auto text = std::string(kBashBegin);
  text += fmt::format("    words=\"{} {}\"\n  else\n    case ${{COMP_WORDS[1]}} in\n",
                      fmt::join(names_of(line), " "), fmt::join(all_names(line.top.options), " "));
  for (const auto& command : line.commands) text += bash_command(command);
  return text + "    esac\n" + kBashEnd;
}

// --- zsh ---

/// Escapes text for single quotes, and for the brackets and colons of _arguments.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result;
}

std::string zsh_value(const OptionText& option) {
  const auto name = zsh_text(option.value);
  if (option.words.empty()) return fmt::format(":{}:_files", name);
  if (is_list(option.value))
    return fmt::format(":{}:_values -s , value {}", name, fmt::join(option.words, " "));
  return fmt::format(":{}:({})", name, fmt::join(option.words, " "));
}

std::string zsh_option(const OptionText& option) {
  std::string text;
  for (const auto& name : option.names) {
    const bool is_long = name.rfind("--", 0) == 0;
    const char* sign = option.value.empty()    ? ""
                       : option.optional_value ? "=-"
                       : is_long               ? "="
                                               : "";
    auto value = option.value.empty() ? std::string() : zsh_value(option);
    if (option.optional_value) value = ":" + value;
    text += fmt::format(" \\\n            '*{}{}[{}]{}'", name, sign, zsh_text(option.description),
                        value);
  }
  return text;
}

std::string zsh_command(const CommandText& command) {
  auto text = fmt::format("        {})\n          _arguments", command.name);
  for (const auto& option : command.options) text += zsh_option(option);
  const auto words = positional_words(command);
  if (!command.commands.empty()) {
    text += fmt::format(" \\\n            '1: :({})' '*:FILE:_files'", fmt::join(words, " "));
  } else if (!words.empty()) {
    text += fmt::format(" \\\n            '*: :({})'", fmt::join(words, " "));
  } else if (!command.positionals.empty()) {
    text += fmt::format(" \\\n            '*:{}:_files'",
                        zsh_text(command.positionals.front().names.front()));
  }
  return text + " ;;\n";
}

std::string zsh_script(const CommandLine& line) {
  std::string text =
      "#compdef archgrid\n"
      "# Completion of archgrid for zsh: source it, or put it as _archgrid on $fpath.\n"
      "_archgrid() {\n  local context state state_descr line\n  typeset -A opt_args\n"
      "  _arguments -C";
  for (const auto& option : line.top.options) text += zsh_option(option);
  text +=
      " \\\n            '1:command:->command' '*::argument:->argument'\n  case $state in\n"
      "    command)\n      local -a commands=(\n";
  for (const auto& command : line.commands) {
    text += fmt::format("        '{}:{}'\n", command.name, zsh_text(command.description));
  }
  text += "      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
  for (const auto& command : line.commands) text += zsh_command(command);
  return text +
         "      esac ;;\n  esac\n}\n"
         "if [[ ${funcstack[1]} == _archgrid ]]; then\n  _archgrid \"$@\"\n"
         "else\n  compdef _archgrid archgrid\nfi\n";
}

// --- fish ---

std::string fish_text(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string fish_option(const OptionText& option, const std::string& condition) {
  auto text = fmt::format("complete -c archgrid -n {}", fish_text(condition));
  for (const auto& name : option.names) {
    const bool is_long = name.rfind("--", 0) == 0;
    text += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const auto& words = option.words;
  if (!words.empty() && is_list(option.value)) {
    text += fmt::format(" -x -a '(__fish_append , {})'", fmt::join(words, " "));
  } else if (!words.empty()) {
    text += fmt::format(" -x -a '{}'", fmt::join(words, " "));
  } else if (!option.value.empty() && !option.optional_value) {
    text += " -r -F";
  }
  return text + " -d " + fish_text(option.description) + "\n";
}

std::string fish_script(const CommandLine& line) {
  std::string text =
      "# Completion of archgrid for fish: source it, or put it into ~/.config/fish/completions.\n"
      "complete -c archgrid -n __fish_use_subcommand -f\n";
  for (const auto& command : line.commands) {
    text += fmt::format("complete -c archgrid -n __fish_use_subcommand -f -a {} -d {}\n",
                        command.name, fish_text(command.description));
  }
  for (const auto& option : line.top.options) text += fish_option(option, "__fish_use_subcommand");
  for (const auto& command : line.commands) {
    const auto condition = "__fish_seen_subcommand_from " + command.name;
    const auto words = positional_words(command);
    if (!words.empty()) {
      const char* files = command.commands.empty() ? " -f" : "";
      text += fmt::format("complete -c archgrid -n {}{} -a '{}'\n", fish_text(condition), files,
                          fmt::join(words, " "));
    }
    for (const auto& option : command.options) text += fish_option(option, condition);
  }
  return text;
}

/// Returns a script that completes archgrid's words in `shell`, to source or to install.
std::string completion_script(CommandLine line, const std::string& shell) {
  for (auto& command : line.commands) add_inner_options(command);
  if (shell == "bash") return bash_script(line);
  return shell == "zsh" ? zsh_script(line) : fish_script(line);
}

constexpr const char* kCompletionExamples = R"(Examples:
  source <(archgrid completion bash)
  archgrid completion zsh > ~/.zfunc/_archgrid
  archgrid completion fish > ~/.config/fish/completions/archgrid.fish)";

struct CompletionOptions {
  std::string shell;
  CLI::App* app = nullptr;
};

int run_completion(const CompletionOptions& options) {
  print(stdout, completion_script(read_command_line(*options.app), options.shell));
  return kHolds;
}

}  // namespace

void add_completion(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("completion", "Write what completes this command in a shell");
  auto& options = options_of(*command, run, run_completion);
  options.app = &app;
  command->footer(kCompletionExamples);
  auto* shell = command->add_option("SHELL", options.shell, "bash, zsh or fish")->required();
  accept_only(shell, "shell", {"bash", "zsh", "fish"});
}

}  // namespace archgrid::cli
