// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_OUTPUTS_HPP
#define ARCHGRID_CLI_OUTPUTS_HPP

#include <archgrid/report.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::cli {

/// Prints text for people: whole lines. On a GitHub runner, which searches the output for commands,
/// no line becomes one: names of files and kernels come from untrusted files.
void print(std::FILE* stream, std::string_view text);

/// Returns an error or a note for standard error: wrapped to its width, and safe for a terminal.
/// The text may have several lines, such as a fix.
std::string error_lines(std::string_view text);

/// A file that appears completely or not at all: it is written beside its destination and then
/// renamed. Devices and pipes are written directly; "-" is standard output.
class Output {
 public:
  /// Throws std::runtime_error if the file cannot be written, before there is content.
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Throws std::runtime_error.
  void write(std::string_view text);
  /// Renames the file to its destination. Throws std::runtime_error.
  void finish();

 private:
  [[nodiscard]] std::runtime_error trouble() const;

  std::filesystem::path path_;
  std::filesystem::path aside_;  ///< empty if `path_` itself is written
  std::FILE* stream_ = nullptr;
};

/// The output files of one command, each named by its own option.
class Documents {
 public:
  /// Adds a document unless `path` is empty. Throws UsageError if another option has the same path.
  void add(const char* option, const std::string& path);
  /// Returns the option of the document on standard output, or nullptr.
  [[nodiscard]] const char* on_standard_output() const;
  /// Throws UsageError if a document would overwrite one of these files.
  void spare(const std::vector<std::string>& inputs) const;
  /// Throws std::runtime_error if a document cannot be written, before there is content.
  void open();
  /// Writes and finishes the option's document, if there is one. Returns whether that succeeded;
  /// prints failures on standard error.
  [[nodiscard]] bool write(const char* option,
                           const std::function<void(const report::Sink&)>& writer);

 private:
  struct Document {
    const char* option;
    std::string path;
    std::unique_ptr<Output> output;
  };
  std::vector<Document> documents_;
};

/// Opens the output of --json; if `path` is "-", standard output gets no text. Throws UsageError if
/// the output is among `inputs`, or std::runtime_error.
Documents json_document(const std::string& path, const std::vector<std::string>& inputs);

/// The bytes of a step summary: GitHub rejects more than 1 MiB.
constexpr std::size_t kMaxSummary = 1000 * 1000;

/// Appends to the step summary of GitHub Actions, if there is one. `writer` gets the number of
/// bytes left. Throws std::runtime_error.
void write_summary(const std::function<std::string(std::size_t)>& writer);

/// Appends `lines`, each NAME=VALUE, to the outputs of this step of GitHub Actions. Throws
/// UsageError outside of GitHub Actions, or std::runtime_error.
void write_step_outputs(std::string_view lines);

/// Runs a step and returns whether it succeeded; prints failures on standard error.
bool attempt(const std::function<void()>& step);

}  // namespace archgrid::cli

#endif
