// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Proposes the files and lines with which a project uses archgrid. Only adds lines.
#ifndef ARCHGRID_PROJECT_PROPOSAL_HPP
#define ARCHGRID_PROJECT_PROPOSAL_HPP

#include <archgrid/coverage.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::project {

/// A new file, or one block of lines for an existing file.
struct ProposedFile {
  std::string path;    ///< relative to the project
  bool is_new = true;  ///< the file does not exist yet
  std::string before;  ///< its text; empty if new
  std::string after;
};

struct Proposal {
  std::vector<ProposedFile> files;
  std::vector<std::string> notes;  ///< what was assumed, what is unknown, what is left to the user
  std::vector<std::string> kept;   ///< what the project has already: "matrices/archgrid.json"
};

struct ProposalRequest {
  /// To promise; empty: those of [tool.archgrid], or by the archs.
  std::vector<coverage::ComputeCapability> devices;
  std::vector<coverage::Version> toolkits;  ///< to build with; empty: none is known
  bool has_found_toolkits = false;          ///< `toolkits` are those of this machine
  std::string toolkits_problem;  ///< why the toolkits of this machine are unknown; else empty
  /// Words of a CMake command line that find archgrid; empty if find_package() finds it without.
  std::string cmake_options;
};

/// Proposes files for the project in a folder. The proposal is empty for a project that has them
/// all. Throws std::runtime_error if a file cannot be read, and std::invalid_argument if no toolkit
/// compiles for a requested device.
Proposal propose(const std::filesystem::path& folder, const ProposalRequest& request);

/// Returns the files as one unified diff, which `git apply` takes.
std::string unified_diff(const Proposal& proposal);

/// Returns the notes, in lines of at most `columns`.
std::string notes_text(const Proposal& proposal, std::size_t columns);

/// Returns what was written, what can be, or why there is nothing to do.
std::string init_closing_line(const Proposal& proposal, bool is_written);

/// Returns an archgrid.init/1 document. `is_written`: the files were written.
std::string proposal_json(const Proposal& proposal, bool is_written);

}  // namespace archgrid::project

#endif
