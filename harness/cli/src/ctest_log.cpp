// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ctest_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <system_error>

#include "commands.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

fs::path process_folder(pid_t process) {
  return fs::path("/proc") / std::to_string(process);
}

/// Returns the parent of `process`, or 0 if it has none or cannot be read.
pid_t parent_of(pid_t process) {
  std::ifstream stream(process_folder(process) / "stat");
  std::string text;
  std::getline(stream, text, '\0');
  // "4711 (a name, with any character) S 4710 ..."
  const auto name_end = text.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return 0;
  return static_cast<pid_t>(std::strtol(text.c_str() + name_end + 4, nullptr, 10));
}

/// Opens the file behind `descriptor`, a link of /proc/<process>/fd, if it is a test log below
/// `folder`. The link works even if another run has removed the file's name.
std::optional<std::ifstream> open_if_log(const fs::path& descriptor, const std::string& folder) {
  std::error_code error;
  const auto target = fs::read_symlink(descriptor, error).string();
  if (error || target.compare(0, folder.size(), folder) != 0) return std::nullopt;
  if (!fs::is_regular_file(descriptor, error)) return std::nullopt;
  std::ifstream stream(descriptor);
  std::string line;
  constexpr std::string_view kFirstLine = "Start testing: ";
  if (!std::getline(stream, line) || line.compare(0, kFirstLine.size(), kFirstLine) != 0) {
    return std::nullopt;
  }
  stream.seekg(0);
  return stream;
}

std::optional<std::ifstream> open_log_of(pid_t process, const std::string& folder) {
  std::error_code error;
  fs::directory_iterator descriptor(process_folder(process) / "fd", error);
  for (; !error && descriptor != fs::directory_iterator(); descriptor.increment(error)) {
    if (auto log = open_if_log(descriptor->path(), folder)) return log;
  }
  return std::nullopt;
}

}  // namespace

std::ifstream open_ctest_log(const fs::path& root) {
  std::error_code error;
  const auto folder = (fs::canonical(root, error) / "Testing" / "").string();
  for (pid_t process = getppid(); process > 0; process = parent_of(process)) {
    if (auto log = open_log_of(process, folder)) return std::move(*log);
  }
  throw UsageError(
      fmt::format("{}: no ctest that runs this tree's tests is above this process, or /proc does "
                  "not show its open files: what this run tested is unknown\n"
                  "  fix: run ctest in this folder; it calls this command after the tests",
                  root.string()));
}

}  // namespace archgrid::cli
