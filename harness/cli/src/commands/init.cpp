// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/project/proposal.hpp>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/promises/lists.hpp>
#include <archgrid/system/programs.hpp>
#include <archgrid/system/terminal.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "commands/commands.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInitExamples = R"(Examples:
  archgrid init
      what this folder's project needs, as one diff; on a terminal it then asks
  archgrid init ~/src/mylib --write
      the same, and writes it
  archgrid init --gpu A100,H100 --toolkit 13.0
      with a promise for these GPUs, built by one toolkit
  archgrid init | git apply
      what --write does

It reads build files and arch lists as archgrid lint does, and only adds files and lines. Standard
error has notes about what it assumed.

Exit codes: 0 there is a proposal, or nothing to do; 2 usage, a GPU that no toolkit compiles for, or
a file that cannot be read or written.)";

struct InitOptions {
  std::string folder = ".";
  std::vector<std::string> gpus;
  std::vector<std::string> toolkits;
  bool write = false;
  std::string json;  ///< destination; "-": standard output
};

/// Returns the whole toolkits on this machine, which CMake finds; nothing, with the problem, if it
/// cannot be asked.
std::vector<coverage::Version> toolkits_here(std::string& problem) {
  const auto script = find_modules("init") / "archgrid" / "detail" / "list_toolkits.cmake";
  system::Captured listed;
  try {
    listed = system::capture({"cmake", "-P", script.string()});
  } catch (const system::CannotStart&) {
    problem = "cmake was not found, which lists the CUDA toolkits of this machine";
    return {};
  }
  if (!listed.good) {
    problem = "cmake cannot list the CUDA toolkits of this machine: " +
              listed.errors.substr(0, listed.errors.find('\n'));
    return {};
  }
  constexpr std::string_view kBegin = "-- toolkit ";
  std::vector<coverage::Version> toolkits;
  std::istringstream lines(listed.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(kBegin, 0) != 0) continue;
    if (const auto version = coverage::parse_version(line.substr(kBegin.size()))) {
      toolkits.push_back(*version);
    }
  }
  return toolkits;
}

std::vector<coverage::Version> toolkits_of(const InitOptions& options, std::string& problem) {
  if (options.toolkits.empty()) return toolkits_here(problem);
  std::vector<coverage::Version> toolkits;
  for (const auto& text : promises::split_list(options.toolkits)) {
    const auto version = *parse_toolkit(text.empty() ? "?" : text);
    if (std::find(toolkits.begin(), toolkits.end(), version) == toolkits.end()) {
      toolkits.push_back(version);
    }
  }
  std::sort(toolkits.begin(), toolkits.end());
  return toolkits;
}

/// Returns the options with which CMake finds this archgrid. Without options it finds an installed
/// one beside the folders of PATH.
std::string options_for_cmake() {
  const auto modules = fs::absolute(find_modules("init"));
  const auto command = own_command();
  const bool is_on_path = command == "archgrid";
  const bool is_installed = fs::exists(modules / "ArchGridConfig.cmake");
  if (is_installed && is_on_path) return {};
  const auto folder = quoted_for_shell(modules.string());
  if (is_installed) return "-DArchGrid_ROOT=" + folder;
  return "-DCMAKE_MODULE_PATH=" + folder + (is_on_path ? "" : " -DARCHGRID_COMMAND=" + command);
}

/// Folders that were made for files; removes those that are still empty.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code error;
    for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, error);
  }

  /// Makes a folder with those above. Throws std::runtime_error.
  void make(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return;
    make(folder.parent_path());
    fs::create_directory(folder, error);
    if (error) {
      throw std::runtime_error(
          fmt::format("cannot write {}: {}", folder.string(), error.message()));
    }
    made_.push_back(folder);
  }

 private:
  std::vector<fs::path> made_;
};

/// Writes all files, or none if one cannot be created.
void write_files(const fs::path& folder, const project::Proposal& proposal) {
  NewFolders folders;
  std::vector<std::unique_ptr<Output>> outputs;
  for (const auto& file : proposal.files) {
    const auto path = folder / file.path;
    folders.make(path.parent_path());
    outputs.push_back(std::make_unique<Output>(path.string()));
    outputs.back()->write(file.after);
  }
  for (const auto& output : outputs) output->finish();
}

/// Asks on a terminal. Without one the answer is no.
bool is_agreed(std::size_t count) {
  if (!system::is_terminal(system::kStandardInput) || !system::is_terminal(system::kStandardOutput))
    return false;
  fmt::print("write {}? [y/N] ", count == 1 ? "this file" : fmt::format("these {} files", count));
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

int run_init(const InitOptions& options) {
  if (!fs::is_directory(options.folder)) {
    throw UsageError(fmt::format("{}: is no folder: name the folder of a project", options.folder));
  }
  auto document = json_document(options.json, {});
  project::ProposalRequest request;
  request.devices = promises::read_gpus(options.gpus);
  request.toolkits = toolkits_of(options, request.toolkits_problem);
  request.has_found_toolkits = options.toolkits.empty();
  request.cmake_options = options_for_cmake();
  const auto proposal = project::propose(options.folder, request);
  const bool prints = document.on_standard_output() == nullptr;
  if (prints) print(stdout, project::unified_diff(proposal));
  std::fflush(stdout);
  print(stderr, project::notes_text(proposal, columns_of(system::kStandardError)));
  const auto count = proposal.files.size();
  const bool writes = count > 0 && (options.write || (prints && is_agreed(count)));
  if (writes) write_files(options.folder, proposal);
  const auto closing = project::init_closing_line(proposal, writes);
  if (prints) print(stderr, closing);
  const bool written = document.write(
      "--json", [&](const report::Sink& sink) { sink(project::proposal_json(proposal, writes)); });
  return written ? kHolds : kTrouble;
}

}  // namespace

void add_init(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("init", "Propose a matrix file and audits for a project");
  auto& options = options_of(*command, run, run_init);
  command->footer(kInitExamples);
  command->add_option("FOLDER", options.folder, "Folder of the project (the current one)");
  add_gpus(*command, options.gpus,
           "The GPUs to promise, as H100 or 9.0 (those of the project's archs)");
  std::vector<std::string> known;
  for (const auto& row : coverage::table().toolkits) known.push_back(row.cuda.text());
  auto* toolkit = add_values(*command, "--toolkit", options.toolkits, "TOOLKIT,...",
                             "CUDA toolkits to build with, as 13.0 (those of this machine)");
  complete_by(toolkit, known);
  command->add_flag("--write", options.write, "Write the files, and ask nothing");
  add_json(*command, options.json, "archgrid.init/1");
}

}  // namespace archgrid::cli
