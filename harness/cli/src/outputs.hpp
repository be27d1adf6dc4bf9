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

#include "commands.hpp"

namespace archgrid::cli {

/// Prints text for people: whole lines. On a GitHub runner, which searches what a step prints for
/// commands, no line becomes one: names of files and kernels come from files that nobody checked.
void print(std::FILE* stream, std::string_view text);

/// A file that appears whole or not at all: it is written beside its place and then renamed.
/// Devices and pipes are written as they are; "-" is standard output.
class Output {
 public:
  /// Throws std::runtime_error where nothing can be written, before there is anything to write.
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Throws std::runtime_error.
  void write(std::string_view text);
  /// Puts the file in its place. Throws std::runtime_error.
  void finish();

 private:
  [[nodiscard]] std::runtime_error trouble() const;

  std::filesystem::path path_;
  std::filesystem::path aside_;  ///< empty where `path_` itself is written
  std::FILE* stream_ = nullptr;
};

/// The files that one command's options name, each written by an option of its own.
class Documents {
 public:
  /// Takes no document where `path` is empty. Throws UsageError where another option names it too.
  void add(const char* option, const std::string& path);
  /// Whether one of them takes standard output's place; nullptr, or its option.
  [[nodiscard]] const char* on_standard_output() const;
  /// Throws UsageError where a document would take the place of one of these files.
  void spare(const std::vector<std::string>& inputs) const;
  /// Throws std::runtime_error where one cannot be written, before there is anything to write.
  void open();
  /// Writes the option's document, if there is one, and puts it in its place. Returns whether that
  /// went well; says on standard error what did not.
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

/// What --json writes to, open; standard output has no text then if `path` is "-". Throws
/// UsageError
/// (`inputs` stay as they are) or std::runtime_error.
Documents json_document(const std::string& path, const std::vector<std::string>& inputs);

/// Appends what `writer` makes of the bytes left to the step summary of GitHub Actions, where there
/// is one. Throws std::runtime_error.
void write_summary(const std::function<std::string(std::size_t)>& writer);

/// Whether the step went well; says on standard error what did not.
bool attempt(const std::function<void()>& step);

/// Everything that one audit is to be written to.
class AuditOutputs {
 public:
  /// Opens the files. Throws UsageError, also where one is among `inputs`, or std::runtime_error.
  AuditOutputs(const AuditOptions& options, const std::vector<std::string>& inputs);

  /// Writes all, even if one fails. Returns whether none did; says on standard error which.
  [[nodiscard]] bool write(const report::View& view);

 private:
  void write_text(const report::View& view);

  bool all_;
  bool suspects_;
  bool quiet_;
  bool github_;
  Documents documents_;
};

}  // namespace archgrid::cli

#endif
