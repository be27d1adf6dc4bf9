// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/system/files.hpp>
#include <archgrid/system/partial_file.hpp>
#include <archgrid/system/process.hpp>
#include <archgrid/system/terminal.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "command.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;
using report::Sink;

constexpr const char* kStandardOutput = "-";

/// Returns the target of a link, so that writing keeps the link.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const auto target = fs::canonical(path, error);
  return error ? fs::path(path) : target;
}

bool is_rewritten(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return !fs::exists(status) || fs::is_regular_file(status);
}

/// Reports whether both paths, however spelled, name one file, so that writing one changes the
/// other. False for devices and pipes, which accept any output.
bool is_same_file(const std::string& left, const std::string& right) {
  if (left == kStandardOutput || right == kStandardOutput) return left == right;
  if (left == right) return true;
  if (!is_rewritten(left)) return false;
  std::error_code error;
  if (fs::equivalent(left, right, error)) return true;
  const auto place = fs::weakly_canonical(left, error);
  return !error && place == fs::weakly_canonical(right, error) && !error;
}

/// Appends to a file that GitHub Actions names. `what` names it in an error.
void append(const char* path, std::string_view text, const char* what) {
  std::FILE* stream = std::fopen(path, "ab");
  const bool opened = stream != nullptr;
  bool good = opened && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  good = opened && std::fclose(stream) == 0 && good;
  if (!good) {
    throw std::runtime_error(
        fmt::format("cannot write the {} {}: {}", what, path, std::strerror(errno)));
  }
}

fs::path beside(const fs::path& path) {
  return path.parent_path() /
         fmt::format(".{}.{}.partial", path.filename().string(), system::process_id());
}

}  // namespace

void print(std::FILE* stream, std::string_view text) {
  const char* runner = std::getenv("GITHUB_ACTIONS");
  if (runner != nullptr && runner[0] != '\0') {
    const auto harmless = report::without_commands(std::string(text));
    std::fwrite(harmless.data(), 1, harmless.size(), stream);
  } else {
    std::fwrite(text.data(), 1, text.size(), stream);
  }
}

std::string error_lines(std::string_view text) {
  // Scripts look for sentences, and paste commands.
  const bool wraps =
      system::is_terminal(system::kStandardError) || std::getenv("COLUMNS") != nullptr;
  const auto columns = wraps ? columns_of(system::kStandardError) : std::string::npos;
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = fatbin::printable(std::string(text.substr(at, end - at)));
    const auto indent = std::min(line.find_first_not_of(' '), line.size());
    if (at == 0) {
      lines = report::hanging("archgrid: ", line, "  ", columns);
    } else {
      lines += report::wrapped(line.substr(indent), line.substr(0, indent), columns);
    }
    at = end + 1;
  }
  return lines;
}

// Output of earlier commands of the step counts, too.
void write_summary(const std::function<std::string(std::size_t)>& writer) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr || path[0] == '\0') return;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto taken = error ? 0 : static_cast<std::size_t>(size);
  const auto page = writer(taken < kMaxSummary ? kMaxSummary - taken : 0);
  append(path, page, "step summary");
}

void write_step_outputs(std::string_view lines) {
  const char* path = std::getenv("GITHUB_OUTPUT");
  if (path == nullptr || path[0] == '\0') {
    throw UsageError(
        "--github: GITHUB_OUTPUT is not set: GitHub Actions sets it; elsewhere name a file: "
        "GITHUB_OUTPUT=outputs.txt archgrid ...");
  }
  append(path, lines, "step outputs");
}

bool attempt(const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const std::runtime_error& error) {
    print(stderr, error_lines(fatbin::printable(error.what())));
    return false;
  }
}

Output::Output(const std::string& path) : path_(path) {
  if (path == kStandardOutput) {
    stream_ = stdout;
    return;
  }
  path_ = resolved(path);
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    throw std::runtime_error(fmt::format("cannot write {}: it is a folder: name a file", path));
  }
  if (!is_rewritten(path_)) {
    stream_ = std::fopen(path_.string().c_str(), "wb");
  } else {
    aside_ = beside(path_);
    stream_ = system::open_partial(aside_, path_);
  }
  if (stream_ == nullptr) {
    const auto problem = trouble();
    aside_.clear();
    throw problem;
  }
}

Output::~Output() {
  if (stream_ != nullptr && stream_ != stdout) std::fclose(stream_);
  std::error_code error;
  if (aside_.empty()) return;
  fs::remove(aside_, error);
  system::keep_if_killed(aside_);
}

std::runtime_error Output::trouble() const {
  const int code = errno;
  const auto place = stream_ == stdout ? "the output" : path_.string();
  const char* fix = "";
  if (code == ENOENT) fix = ": make its folder first";
  if (system::is_disk_full(code)) fix = ": make room there, or name another place";
  return std::runtime_error(fmt::format("cannot write {}: {}{}", place, std::strerror(code), fix));
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) throw trouble();
}

void Output::finish() {
  if (std::fflush(stream_) != 0) throw trouble();
  if (stream_ == stdout) return;
  const int closed = std::fclose(std::exchange(stream_, nullptr));
  if (closed != 0) throw trouble();
  if (aside_.empty()) return;
  std::error_code error;
  fs::rename(aside_, path_, error);
  if (error) {
    errno = error.default_error_condition().value();
    throw trouble();
  }
  system::keep_if_killed(aside_);
  aside_.clear();
}

void Documents::add(const char* option, const std::string& path) {
  if (path.empty()) return;
  if (path.front() == '-' && path != kStandardOutput) {
    throw UsageError(
        fmt::format("{}: its FILE is missing before {} (./{} is a file)", option, path, path));
  }
  for (const auto& other : documents_) {
    if (!is_same_file(path, other.path)) continue;
    throw UsageError(fmt::format("{} and {} go to one place, {}: name a file for one of them",
                                 other.option, option,
                                 path == kStandardOutput ? "standard output" : path));
  }
  documents_.push_back({option, path, nullptr});
}

const char* Documents::on_standard_output() const {
  for (const auto& document : documents_) {
    if (document.path == kStandardOutput) return document.option;
  }
  return nullptr;
}

void Documents::spare(const std::vector<std::string>& inputs) const {
  for (const auto& document : documents_) {
    for (const auto& input : inputs) {
      if (document.path == kStandardOutput || !is_same_file(document.path, input)) continue;
      throw UsageError(fmt::format(
          "{}: {} is an input, which this would overwrite: name another file to write to",
          document.option, document.path));
    }
  }
}

void Documents::open() {
  for (auto& document : documents_) document.output = std::make_unique<Output>(document.path);
}

bool Documents::write(const char* option, const std::function<void(const Sink&)>& writer) {
  return attempt([&] {
    for (auto& document : documents_) {
      if (std::string_view(document.option) != option) continue;
      writer([&](std::string_view text) { document.output->write(text); });
      document.output->finish();
    }
  });
}

Documents json_document(const std::string& path, const std::vector<std::string>& inputs) {
  Documents documents;
  documents.add("--json", path);
  documents.spare(inputs);
  documents.open();
  return documents;
}

}  // namespace archgrid::cli
