// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/cell.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

struct SurveyPackagesOptions {
  std::string build;      ///< the cell's build tree
  std::string files;      ///< file with the files there that may be packages, one per line
  std::string installed;  ///< likewise: installed files with device code
  std::string artifacts;  ///< likewise: the other artifacts
  std::string library;    ///< regular expression: names of libraries of NVIDIA
  std::string package;    ///< likewise: distributions of other projects
  std::string project;    ///< name of the cell's project
};

/// Prints JSON for the build step of a cell: the packages that audits read, and what they skip.
int run_survey_packages(const SurveyPackagesOptions& options) {
  const auto packages = cell::survey_packages(
      options.build,
      {read_lines(options.files), read_lines(options.installed), read_lines(options.artifacts)},
      {options.library, options.package, options.project});
  auto unaudited = nlohmann::json::array();
  for (const auto& file : packages.unaudited) {
    unaudited.push_back({{"path", file.path}, {"why", file.why}, {"reason", file.reason}});
  }
  const nlohmann::json json = {{"audited", packages.audited}, {"unaudited", unaudited}};
  print(stdout, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  return kHolds;
}

}  // namespace

void add_survey_packages(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("survey-packages", "Sorts the packages that a cell wrote");
  auto& options = options_of(*command, run, run_survey_packages);
  command->group("");
  command->add_option("--build", options.build, "Its build tree")->required();
  command->add_option("--files", options.files, "List of its files, maybe packages")->required();
  command->add_option("--installed", options.installed, "List of installed files")->required();
  command->add_option("--artifacts", options.artifacts, "List of its other artifacts")->required();
  command->add_option("--library", options.library, "Names of libraries of NVIDIA");
  command->add_option("--package", options.package, "Names of packages of others");
  command->add_option("--project", options.project, "Name of its project");
}

}  // namespace archgrid::cli
