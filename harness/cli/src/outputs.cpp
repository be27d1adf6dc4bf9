// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "progress.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;
using report::Sink;
using report::View;

constexpr const char* kStandardOutput = "-";
// GitHub rejects a step's summary of more than 1 MiB.
constexpr std::size_t kMostSummary = 1000 * 1000;

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

fs::path beside(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.partial", path.filename().string(), ::getpid());
}

/// Paths of partial files for the signal handler, which may neither allocate nor lock.
constexpr std::size_t kMaxPartials = 8;
std::array<std::array<char, PATH_MAX>, kMaxPartials> partials;

void remove_partials(int signal) {
  for (const auto& partial : partials) {
    if (partial[0] != '\0') ::unlink(partial.data());
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Makes SIGTERM, SIGINT and SIGHUP remove `path` before they end the process, unless it ignores
/// them.
void remove_if_killed(const fs::path& path) {
  static const bool handled = [] {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      struct sigaction action {};
      if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
      action.sa_handler = remove_partials;
      ::sigaction(signal, &action, nullptr);
    }
    return true;
  }();
  const auto text = fs::absolute(path).string();
  for (auto& partial : partials) {
    if (!handled || partial[0] != '\0' || text.size() >= partial.size()) continue;
    // Write the first character last: until then the handler skips the entry.
    std::copy_n(text.c_str() + 1, text.size(), partial.begin() + 1);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    partial[0] = text[0];
    return;
  }
}

void forget_partial(const fs::path& path) {
  const auto text = fs::absolute(path).string();
  for (auto& partial : partials) {
    if (text == partial.data()) partial[0] = '\0';
  }
}

/// Returns the permissions of the file, or those of a new one.
mode_t mode_of(const fs::path& path) {
  struct stat status {};
  constexpr mode_t kNew = 0666;
  constexpr mode_t kPermissions = 0777;
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & kPermissions : kNew;
}

/// Returns the files that an audit reads, as specified.
std::vector<std::string> inputs_of(const AuditOptions& options) {
  auto inputs = options.files;
  if (!options.matrix.empty()) inputs.push_back(options.matrix);
  if (!options.baseline.empty()) inputs.push_back(options.baseline);
  if (options.tree.empty()) return inputs;
  for (const auto* name : {"plan.json", "matrix.json"}) {
    inputs.push_back((fs::path(options.tree) / name).string());
  }
  return inputs;
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

// Output of earlier commands of the step counts, too.
void write_summary(const std::function<std::string(std::size_t)>& writer) {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  if (path == nullptr || path[0] == '\0') return;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto taken = error ? 0 : static_cast<std::size_t>(size);
  const auto page = writer(taken < kMostSummary ? kMostSummary - taken : 0);
  std::FILE* stream = std::fopen(path, "ab");
  const bool opened = stream != nullptr;
  bool good = opened && std::fwrite(page.data(), 1, page.size(), stream) == page.size();
  good = opened && std::fclose(stream) == 0 && good;
  if (!good) {
    throw std::runtime_error(
        fmt::format("cannot write the step summary {}: {}", path, std::strerror(errno)));
  }
}

bool attempt(const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const std::runtime_error& error) {
    print(stderr, fmt::format("archgrid: {}\n", fatbin::printable(error.what())));
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
    stream_ = std::fopen(path_.c_str(), "wb");
  } else {
    aside_ = beside(path_);
    const int file = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                            mode_of(path_));
    if (file >= 0) {
      remove_if_killed(aside_);
      stream_ = ::fdopen(file, "wb");
    }
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
  forget_partial(aside_);
}

std::runtime_error Output::trouble() const {
  const int code = errno;
  const auto place = stream_ == stdout ? "the output" : path_.string();
  const char* fix = "";
  if (code == ENOENT) fix = ": make its folder first";
  if (code == ENOSPC || code == EDQUOT) fix = ": make room there, or name another place";
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
  if (::rename(aside_.c_str(), path_.c_str()) != 0) throw trouble();
  forget_partial(aside_);
  aside_.clear();
}

void Documents::add(const char* option, const std::string& path) {
  if (path.empty()) return;
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

AuditOutputs::AuditOutputs(const AuditOptions& options, const std::vector<std::string>& inputs)
    : all_(options.all),
      suspects_(options.suspects),
      quiet_(options.quiet),
      github_(options.github) {
  documents_.add("--json", options.json);
  documents_.add("--junit", options.junit);
  documents_.add("--html", options.html);
  documents_.add("--markdown", options.markdown);
  documents_.add("--sarif", options.sarif);
  const auto* option = documents_.on_standard_output();
  if (option != nullptr && github_) {
    throw UsageError(fmt::format("--github writes to standard output: name a file for {} ({}=FILE)",
                                 option, option));
  }
  documents_.spare(inputs_of(options));
  documents_.spare(inputs);
  documents_.open();
}

bool AuditOutputs::write(const View& view) {
  bool written = true;
  const auto document = [&](const char* option, const std::function<void(const Sink&)>& writer) {
    written = documents_.write(option, writer) && written;
  };
  if (documents_.on_standard_output() == nullptr) write_text(view);
  document("--json", [&](const Sink& sink) { report::write_json(view, sink); });
  document("--junit", [&](const Sink& sink) { report::write_junit(view, sink); });
  document("--html", [&](const Sink& sink) { report::write_html(view, kVersion, sink); });
  document("--markdown", [&](const Sink& sink) {
    sink(report::audit_markdown(view, std::numeric_limits<std::size_t>::max()));
  });
  document("--sarif", [&](const Sink& sink) { report::write_sarif(view, kVersion, sink); });
  if (github_)
    written = attempt([&] {
                write_summary([&](std::size_t most) { return report::audit_markdown(view, most); });
              }) &&
              written;
  for (const auto error : view.errors) {
    const auto line = fmt::format("archgrid: {}\n", error);
    print(stderr, github_ ? report::without_commands(line) : line);
  }
  return written;
}

void AuditOutputs::write_text(const View& view) {
  const report::TextStyle style = {report::style_for(STDOUT_FILENO), all_, suspects_,
                                   quiet_ ? std::string::npos : columns_of(STDOUT_FILENO)};
  auto text = quiet_ ? report::verdict_text(view, style) : report::audit_text(view, style);
  if (!github_) return print(stdout, text);
  print(stdout, report::without_commands(std::move(text)));
  fmt::print("{}", report::audit_annotations(view));
}

}  // namespace archgrid::cli
