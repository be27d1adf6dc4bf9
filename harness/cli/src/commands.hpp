// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_COMMANDS_HPP
#define ARCHGRID_CLI_COMMANDS_HPP

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace archgrid::cli {

constexpr int kHolds = 0;
constexpr int kFindings = 1;
constexpr int kTrouble = 2;

/// A request that cannot be fulfilled as written: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Restrictions that leave no promised device.
struct NothingPromised : UsageError {
  using UsageError::UsageError;
};

struct AuditOptions {
  std::vector<std::string> files;
  std::string matrix;
  std::string tree;
  std::string toolkit;
  std::string arch;
  std::string cell;
  std::string driver;
  std::vector<std::string> devices;
  std::vector<std::string> accept;
  // Destinations of documents: a file, "-" for standard output, empty for none.
  std::string json;
  std::string junit;
  std::string html;
  std::string markdown;
  std::string sarif;
  std::vector<std::string> ignores;  ///< "PATTERN=REASON"
  std::string baseline;              ///< an earlier audit's JSON
  bool strict = false;
  bool suspects = false;
  bool quiet = false;
  bool allow_unused_ignores = false;
  bool every_byte = false;
  bool github = false;
  bool all = false;
};

struct ListOptions {
  std::vector<std::string> files;
  bool names = false;
  bool images = false;
  bool kernels = false;
  bool sizes = false;
  std::vector<std::string> archs;
  std::vector<std::string> kinds;
  std::string kernel;
  std::string sort;
  std::size_t top = 0;  ///< 0: all
  std::string json;     ///< destination; "-": standard output
};

struct DiffOptions {
  std::string before;
  std::string after;
  std::vector<std::string> devices;
  std::string driver;
  bool strict = false;
  bool all = false;
  std::string json;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

struct MatrixOptions {
  std::string file;
  std::string json;  ///< destination; "-": standard output
};

struct SuggestOptions {
  std::string matrix;
  std::string toolkit;
  std::string driver;
  std::vector<std::string> devices;
  std::vector<std::string> accept;
  std::vector<std::string> with;
  std::vector<std::string> from;
  bool ptx = false;
  bool no_ptx = false;
  std::string json;  ///< destination; "-": standard output
};

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
int run_survey_packages(const SurveyPackagesOptions& options);

/// Prints JSON for the build step of a cell: the error in its compilation (step, reason), notes,
/// files that the build wrote outside the cell's tree, and a hash of its device code.
int run_prove_cell(const ProveCellOptions& options);

/// The cells of a matrix tree to build, and the programs to use, which CMake selects.
struct BuildCellsOptions {
  std::string tree;
  std::vector<std::string> cells;  ///< in starting order
  std::size_t jobs = 1;            ///< simultaneous builds
  unsigned every = 30;             ///< seconds between progress lines without a terminal
  std::string ninja;
  std::string cmake;
  std::string flock;
  std::string script;       ///< build_cell.cmake
  std::string command;      ///< archgrid, for the script
  bool must_build = false;  ///< a cell that is not built fails the build
};

/// Builds the cells, the fat cell of a toolkit after its single cells, and shows progress: running
/// cells on a terminal; elsewhere each finished cell, and a line at intervals. Returns Ninja's exit
/// code; with `must_build`, kFindings if a cell is not built. If a signal ends the build, prints
/// its progress and ends this program by that signal.
int run_build_cells(const BuildCellsOptions& options);

struct RunTestsOptions {
  std::string tree;
  std::string ctest;
  unsigned every = 30;  ///< seconds between progress lines without a terminal
};

/// Runs ctest in a matrix tree and shows failures and the closing lines. Omits the lines of tests
/// that passed or were skipped, and audit output that the closing lines repeat. Returns ctest's
/// exit code.
int run_run_tests(const RunTestsOptions& options);

/// Throws NothingPromised if there is no promise to keep.
int run_audit(const AuditOptions& options);

/// Runs after the tests of the matrix tree `root`: prints the picture of its cells, restricted to
/// ARCHGRID_DEVICE if that is set, and the results of the GPU tests. Does not return kHolds if none
/// ran although ARCHGRID_REQUIRE_GPU is set.
int run_after_tests(const std::string& root);
int run_list(const ListOptions& options);
/// Values of --sort and --kind of `list`.
std::vector<std::string> list_orders();
std::vector<std::string> list_kinds();
int run_diff(const DiffOptions& options);
int run_matrix(const MatrixOptions& options);
int run_suggest(const SuggestOptions& options);

}  // namespace archgrid::cli

#endif
