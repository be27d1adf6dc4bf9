// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers the build step of a cell, after configuring and after building it.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/cell.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

struct ProveCellOptions {
  std::string toolkit;             ///< of the cell
  std::vector<std::string> archs;  ///< of the cell, as CMake spells them
  std::string root;                ///< of the toolkit
  std::string build;               ///< the cell's build tree
  std::string source;              ///< the project's source folder
  std::string commands;            ///< file with the output of `ninja -t commands`
  std::string deps;                ///< file with that of `ninja -t deps`; empty before the build
  std::string artifacts;           ///< file with the artifacts that no target makes, one per line
  std::string packages;            ///< likewise: packages among the artifacts
  std::string beside_packages;     ///< likewise: the other artifacts
  std::string unaudited;           ///< likewise: members of packages that audits leave out
};

namespace fs = std::filesystem;

/// The values that the build step records.
struct Proof {
  std::string step;
  std::string reason;
  std::vector<std::string> notes;
  std::vector<std::string> outside;
  std::string device_code;
};

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UsageError(fmt::format("{}: cannot open", path.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

cell::Spec spec_of(const ProveCellOptions& options) {
  cell::Spec spec;
  const auto toolkit = coverage::parse_version(options.toolkit);
  if (!toolkit) throw UsageError(fmt::format("--toolkit: \"{}\" is no version", options.toolkit));
  spec.toolkit = *toolkit;
  for (const auto& text : options.archs) {
    const auto asked = cell::parse_asked(text);
    if (!asked) throw UsageError(fmt::format("--archs: \"{}\" is no architecture", text));
    spec.archs.push_back(*asked);
  }
  return spec;
}

std::string cmake_list(const std::vector<std::string>& archs) {
  std::string text;
  for (const auto& arch : archs) text += (text.empty() ? "" : ";") + arch;
  return text;
}

std::string refuse_outside(const std::vector<std::string>& outputs) {
  if (outputs.empty()) return {};
  const auto more = outputs.size() == 1 ? "" : fmt::format(" (and {} more)", outputs.size() - 1);
  return fmt::format(
      "nvcc writes {}{}, outside the cell's tree, where all cells would write it and no audit "
      "reads it: write it below CMAKE_BINARY_DIR",
      outputs.front(), more);
}

/// Returns the artifacts that targets make.
std::vector<std::string> linked_artifacts(const ProveCellOptions& options) {
  auto files = read_lines(options.beside_packages);
  const auto by_hand = read_lines(options.artifacts);
  std::erase_if(files, [&](const std::string& file) {
    return std::find(by_hand.begin(), by_hand.end(), file) != by_hand.end();
  });
  return files;
}

Proof prove(const ProveCellOptions& options) {
  const auto spec = spec_of(options);
  const fs::path build = options.build;
  const auto* library_path = std::getenv("LIBRARY_PATH");
  const cell::Surroundings place{options.root, build, library_path == nullptr ? "" : library_path};
  const auto cache = cell::read_cache(build / "CMakeCache.txt");
  const auto commands = cell::parse_commands(read_text(options.commands));
  const bool built = !options.deps.empty();

  Proof proof;
  auto foreign = cell::foreign_tools(commands, place);
  if (built) {
    const auto headers = cell::foreign_headers(read_text(options.deps), place);
    foreign.insert(foreign.end(), headers.begin(), headers.end());
  }
  const auto asked = cell::asked_units(commands, spec.toolkit, build);
  cell::PtxProof ptx(spec, options.root, build);
  auto units = built ? cell::compiled_units(build, &ptx) : asked;
  if (built && !options.artifacts.empty()) {
    const auto handmade =
        cell::handmade_units(build, read_lines(options.artifacts), commands, &ptx);
    units.insert(units.end(), handmade.begin(), handmade.end());
  }
  if (built && !options.packages.empty()) {
    const auto packaged = cell::packaged_units(
        build, read_lines(options.packages),
        {read_lines(options.unaudited), read_lines(options.beside_packages), options.source},
        commands);
    units.insert(units.end(), packaged.begin(), packaged.end());
  }
  if (built && !options.beside_packages.empty()) {
    const auto linked =
        cell::linked_code(spec, place, options.source, linked_artifacts(options), units, commands);
    units.insert(units.end(), linked.made.begin(), linked.made.end());
    proof.notes = linked.notes;
  }
  proof.device_code = built ? cell::fingerprint(units) : "";
  auto archs = cell::judge_archs(spec, units, built ? cell::Stage::built : cell::Stage::configured);
  cell::find_flags(asked, archs);
  proof.notes.insert(proof.notes.begin(), archs.notes.begin(), archs.notes.end());
  if (built) proof.outside = cell::written_outside(commands, build, options.source);
  proof.reason = refuse_outside(cell::outputs_outside(asked, build));
  if (!proof.reason.empty()) {
    proof.step = "artifacts";
    return proof;
  }
  proof.reason = cell::describe(foreign);
  if (proof.reason.empty() && built) proof.reason = cell::judge_toolkit(spec, units);
  if (!proof.reason.empty()) {
    proof.step = "toolkit";
  } else if (!archs.problem.empty()) {
    proof.step = "architectures";
    proof.reason =
        archs.problem + ": " +
        cell::advise(archs, cache, cmake_list(options.archs), cell::read_toolchain(cache));
  } else if (built) {
    proof.reason = ptx.refused();
    if (!proof.reason.empty()) proof.step = "architectures";
  }
  return proof;
}

/// Prints JSON for the build step of a cell: the error in its compilation (step, reason), notes,
/// files that the build wrote outside the cell's tree, and a hash of its device code.
int run_prove_cell(const ProveCellOptions& options) {
  const auto proof = prove(options);
  const nlohmann::json json = {{"step", proof.step},
                               {"reason", proof.reason},
                               {"notes", proof.notes},
                               {"outside", proof.outside},
                               {"device_code", proof.device_code}};
  print(stdout, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  return kHolds;
}

}  // namespace

void add_prove_cell(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("prove-cell", "What the build step of a cell asks");
  auto& options = options_of(*command, run, run_prove_cell);
  command->group("");
  command->add_option("--toolkit", options.toolkit, "Its CUDA toolkit")->required();
  add_values(*command, "--archs", options.archs, "ARCH,...", "Its archs")->required();
  command->add_option("--root", options.root, "Folder of its toolkit")->required();
  command->add_option("--build", options.build, "Its build tree")->required();
  command->add_option("--source", options.source, "Source folder of its project");
  command->add_option("--commands", options.commands, "Output of ninja -t commands")->required();
  command->add_option("--deps", options.deps, "Output of ninja -t deps, when it is built");
  command->add_option("--artifacts", options.artifacts, "List of artifacts that no target makes");
  command->add_option("--packages", options.packages, "List of packages among the artifacts");
  command->add_option("--beside-packages", options.beside_packages, "List of other artifacts");
  command->add_option("--unaudited", options.unaudited, "List of members that are not audited");
}

}  // namespace archgrid::cli
