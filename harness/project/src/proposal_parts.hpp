// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a proposal, each in a file of its own.
#ifndef ARCHGRID_PROJECT_PROPOSAL_PARTS_HPP
#define ARCHGRID_PROJECT_PROPOSAL_PARTS_HPP

#include <archgrid/project/cmake_project.hpp>
#include <archgrid/project/proposal.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

constexpr const char* kPyproject = "pyproject.toml";

/// A project as its files show it, before anything is proposed.
struct ProjectFacts {
  std::filesystem::path folder;
  std::vector<BuildFile> files;
  CMakeProject cmake;
  std::string name;  ///< valid in a matrix file

  /// Returns the text of a build file, or nullptr.
  [[nodiscard]] const std::string* text_of(std::string_view path) const;
  /// Reports whether a file or a folder exists, whether it is a build file or not.
  [[nodiscard]] bool exists(const std::string& path) const;
};

/// A toolkit of the matrix with its archs, in CMake's spelling.
struct ProposedToolkit {
  coverage::Version cuda;
  std::vector<std::string> archs;
};

/// GPUs that all `toolkits` serve, with the same verdicts.
struct ProposedPromise {
  std::vector<coverage::ComputeCapability> devices;
  bool accepts_jit = false;
  std::vector<coverage::Version> toolkits;  ///< empty: all
};

/// The command that builds cells of a project without CMake.
struct BuildCommand {
  std::string words;  ///< after COMMAND; empty with CMake, and where nothing is known to build
  std::map<std::string, std::string> definitions;  ///< variables of the environment
};

struct ProposedMatrix {
  std::string path;       ///< "matrices/archgrid.json"
  bool is_there = false;  ///< the project has it; the members below are empty
  std::vector<ProposedToolkit> toolkits;
  std::vector<ProposedPromise> promises;
  BuildCommand command;
};

/// Decides the matrix, and adds its file and the project that builds its cells.
ProposedMatrix propose_matrix(const ProjectFacts& facts, const ProposalRequest& request,
                              Proposal& proposal);

/// Decides the command, and what chooses its archs.
BuildCommand find_command(const ProjectFacts& facts, Proposal& proposal);

/// Adds audits of the CUDA targets to the top CMakeLists.txt, and a preset that runs them.
void propose_cmake(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal);

/// Returns the GPUs of [tool.archgrid]. A table that names a matrix file has none of its own. Adds
/// a note for an invalid table.
std::vector<coverage::ComputeCapability> promised_devices(const ProjectFacts& facts,
                                                          Proposal& proposal);

/// Adds the promise, and the audit of repaired wheels, to pyproject.toml.
void propose_python(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal);

/// Adds a workflow if the project has none, else a note with the step.
void propose_workflow(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal);

/// Adds a file that does not exist.
void add_file(Proposal& proposal, const std::string& path, std::string text);

/// Adds lines to a file, before its line `line` (from 0 on), with the ends of lines that the file
/// has. At the end of a text without a newline it adds that, too.
void add_lines(Proposal& proposal, const std::string& path, const std::string& text,
               std::size_t line, const std::string& lines);

/// Returns the lines of a text, each with its end.
std::vector<std::string_view> lines_of(std::string_view text);

/// Returns a TOML or JSON list of devices: `["8.0", "9.0"]`.
std::string quoted_devices(const std::vector<coverage::ComputeCapability>& devices);

}  // namespace archgrid::project

#endif
