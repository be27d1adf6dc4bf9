// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_OUTPUTS_HPP
#define ARCHGRID_CLI_OUTPUTS_HPP

#include <archgrid/report.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"

namespace archgrid::cli {

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

/// Everything that one audit is to be written to.
class AuditOutputs {
 public:
  /// Opens the files. Throws UsageError or std::runtime_error.
  explicit AuditOutputs(const AuditOptions& options);

  /// Writes all, even if one fails. Returns whether none did; says on standard error which.
  [[nodiscard]] bool write(const report::View& view);

 private:
  struct Document {
    const char* option;
    std::string path;
    void (*writer)(const report::View&, const report::Sink&);
    std::unique_ptr<Output> output;
  };
  void add(const char* option, const std::string& path,
           void (*writer)(const report::View&, const report::Sink&));
  void write_text(const report::View& view);
  void write_summary(const report::View& view);

  bool all_;
  bool github_;
  bool text_ = true;  ///< standard output is for people
  std::vector<Document> documents_;
};

}  // namespace archgrid::cli

#endif
