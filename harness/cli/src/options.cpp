// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/promises/command_line.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/system/process.hpp>
#include <cstdlib>

namespace archgrid::cli {
namespace {

/// The name of the validator whose description has the words of complete_by().
constexpr const char* kCompletions = "completions";

/// Sets the colour mode in the environment, so that child processes inherit it.
void set_color(const std::string& when) {
  if (when == "always") {
    system::unset_environment("NO_COLOR");
    system::set_environment("CLICOLOR_FORCE", "1");
  } else if (when == "never") {
    system::set_environment("NO_COLOR", "1");
  }
}

}  // namespace

CLI::Option* add_values(CLI::App& command, const char* names, std::vector<std::string>& values,
                        const char* text, const char* what) {
  return command.add_option(names, values, what)
      ->option_text(text)
      ->delimiter(',')
      ->allow_extra_args(false);
}

CLI::Option* add_gpus(CLI::App& command, std::vector<std::string>& gpus, const char* what) {
  std::vector<std::string> names;
  for (const auto& row : coverage::table().architectures) names.push_back(row.device.text());
  return complete_by(add_values(command, "--gpu,--gpus,--device,--devices", gpus, "GPU,...", what),
                     names);
}

CLI::Option* add_accept(CLI::App& command, std::vector<std::string>& verdicts) {
  auto* option = add_values(
      command, "--accept", verdicts, "VERDICT,...",
      "Verdicts to accept (native,compatible); beside `audit --gpu` they make a promise");
  return complete_by(option, promises::acceptable_names());
}

CLI::Option* add_matrix_file(CLI::App& command, std::string& matrix, const std::string& more) {
  return command.add_option("--matrix", matrix, "Matrix file whose promises are to be kept" + more)
      ->option_text("FILE");
}

CLI::Option* add_toolkit(CLI::App& command, std::string& toolkit, const char* what) {
  std::vector<std::string> names;
  for (const auto& row : coverage::table().toolkits) names.push_back(row.cuda.text());
  return complete_by(command.add_option("--toolkit", toolkit, what)->option_text("TOOLKIT"), names);
}

CLI::Option* add_driver(CLI::App& command, std::string& driver, const std::string& what) {
  std::vector<std::string> names;
  for (const auto& row : coverage::table().drivers) names.push_back(std::to_string(row.branch));
  auto* option =
      command.add_option("--driver", driver, what + ": a branch (580) or a CUDA version (13.0)");
  return complete_by(option->option_text("DRIVER"), names);
}

CLI::Option* add_json(CLI::App& command, std::string& path, const std::string& schema) {
  return command.add_flag("--json{-}", path, "Write " + schema + " instead, or to a file")
      ->option_text("[=FILE]");
}

CLI::Option* add_markdown(CLI::App& command, std::string& path) {
  return command.add_option("--markdown", path, "Write Markdown")->option_text("FILE");
}

void add_color(CLI::App& command) {
  const auto is_known = [](const std::string& when) -> std::string {
    if (when == "auto" || when == "always" || when == "never") return {};
    return fmt::format("\"{}\" is none of auto, always and never", when);
  };
  command
      .add_option_function<std::string>("--color,--colour", set_color,
                                        "Colours: auto (on a terminal), always or never")
      ->option_text("WHEN")
      ->check(CLI::Validator(is_known, ""))
      ->group("Output");
}

void refuse_excluded(CLI::App& command, std::vector<Exclusive> exclusive) {
  command.parse_complete_callback([&command, exclusive = std::move(exclusive)] {
    for (const auto& [option, allowed] : exclusive) {
      if (option->count() == 0) continue;
      for (const auto* other : command.get_options({})) {
        const auto is_it = [other](const std::string& name) {
          return other->check_name(name) || other->get_group() == name;
        };
        if (other == option || other->count() == 0) continue;
        if (std::any_of(allowed.begin(), allowed.end(), is_it)) continue;
        throw UsageError(fmt::format("{}: {} excludes {}: leave out one of the two",
                                     command.get_name(), option->get_name(), other->get_name()));
      }
    }
  });
}

CLI::Option* complete_by(CLI::Option* option, const std::vector<std::string>& words) {
  return option->check(CLI::Validator(fmt::format("{}", fmt::join(words, " "))), kCompletions);
}

std::vector<std::string> completions_of(CLI::Option& option) {
  try {
    return promises::split_list({option.get_validator(kCompletions)->get_description()});
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

CLI::Option* accept_only(CLI::Option* option, const std::string& what,
                         const std::vector<std::string>& words) {
  const auto refuse = [what, words](const std::string& word) -> std::string {
    const bool known = std::find(words.begin(), words.end(), word) != words.end();
    return known ? std::string() : promises::unknown_word(word, what, words);
  };
  return complete_by(option, words)->check(CLI::Validator(refuse, ""));
}

std::vector<std::string> arch_names() {
  std::vector<std::string> names;
  for (const auto& row : coverage::table().architectures) {
    names.push_back(std::to_string(row.number));
    for (const char suffix : row.suffixes) names.push_back(std::to_string(row.number) + suffix);
  }
  return names;
}

CLI::Validator positive(const std::string& what) {
  return CLI::Validator(
      [what](const std::string& text) -> std::string {
        const bool digits = !text.empty() && text.size() < 10 &&
                            text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && text.find_first_not_of('0') != std::string::npos) return {};
        return fmt::format("\"{}\" is no number of {}: write 1 or more", text, what);
      },
      "");
}

std::optional<coverage::Driver> parse_driver(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto driver = coverage::parse_driver(text);
  if (!driver) {
    throw UsageError(
        fmt::format("--driver: \"{}\" is no driver that archgrid knows: write a branch "
                    "like 580 or a CUDA version like 13.0",
                    text));
  }
  if (driver->beyond) {
    const auto& newest = coverage::table().drivers.back();
    throw UsageError(fmt::format(
        "--driver: {} is newer than all that archgrid knows: the newest is {}, for CUDA {}", text,
        newest.branch, newest.cuda.text()));
  }
  return driver;
}

std::optional<coverage::Version> parse_toolkit(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto version = coverage::parse_version(text);
  if (!version || coverage::table().find_toolkit(*version) == nullptr) {
    throw UsageError(fmt::format(
        "--toolkit: \"{}\" is no CUDA toolkit that archgrid knows: write it as 13.0", text));
  }
  return version;
}

}  // namespace archgrid::cli
