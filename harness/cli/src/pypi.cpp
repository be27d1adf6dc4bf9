// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "pypi.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <map>
#include <memory>
#include <regex>
#include <system_error>
#include <vector>

#include "capture.hpp"
#include "command.hpp"
#include "temporary_folder.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "pypi:";
constexpr const char* kNoMatch = "No matching distribution found";

/// Returns pip's options for wheels of another Python than the one that runs pip.
std::vector<std::string> options_for(const std::string& python, const std::string& machine) {
  std::vector<std::string> options = {"--python-version", python};
  // pip does not derive older tags from newer ones.
  for (const char* tag : {"manylinux_2_39", "manylinux_2_35", "manylinux_2_34", "manylinux_2_31",
                          "manylinux_2_28", "manylinux_2_27", "manylinux_2_24", "manylinux_2_17",
                          "manylinux2014", "manylinux2010", "manylinux1", "linux"}) {
    options.insert(options.end(), {"--platform", fmt::format("{}_{}", tag, machine)});
  }
  return options;
}

/// The folders of the downloaded wheels: one each, as releases may be compared.
std::vector<std::unique_ptr<TemporaryFolder>>& folders() {
  static std::vector<std::unique_ptr<TemporaryFolder>> folders;
  return folders;
}

/// The file names of the downloaded wheels, by input.
std::multimap<std::string, std::string>& wheels() {
  static std::multimap<std::string, std::string> wheels;
  return wheels;
}

/// Runs pip in the new folder, as python3 -m would take a pip.py of the current one, and without
/// input, as its questions are not shown. The folder has its temporary files, too, and the number
/// of its process group for the guard of the folder.
Captured run_pip(const std::string& requirement, const fs::path& folder,
                 const std::vector<std::string>& options) {
  constexpr const char* kRun =
      R"(cd "$1" && echo $$ > pid && [ -e alive ] || exit
export TMPDIR="$1" && shift && exec "$@" < /dev/null)";
  std::vector<std::string> words = {"sh", "-c", kRun, "sh"};
  words.push_back(folder.string());
  for (const char* word : {"python3", "-m", "pip", "download", "--quiet", "--no-input",
                           "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"}) {
    words.emplace_back(word);
  }
  words.insert(words.end(), {"--dest", folder.string()});
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(requirement);
  auto outcome = capture(words, Group::own);
  fs::remove(folder / "pid");
  return outcome;
}

/// Returns the first error that pip printed.
std::string error_of(const std::string& errors) {
  std::smatch found;
  static const std::regex line("ERROR: ([^\\n]*)");
  if (std::regex_search(errors, found, line)) return found[1];
  const auto last = errors.find_last_not_of(" \n");
  if (last == std::string::npos) return "it printed no error";
  const auto begin = errors.rfind('\n', last);
  return errors.substr(begin + 1, last - begin);
}

fs::path only_wheel(const fs::path& folder, const std::string& requirement) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".whl") return entry.path();
  }
  throw UsageError(fmt::format("pypi:{}: pip ended without a wheel", requirement));
}

}  // namespace

bool is_package_name(const std::string& input) {
  std::error_code error;
  return input.rfind(kPrefix, 0) == 0 && !fs::exists(input, error);
}

bool may_be_package(const std::string& input) {
  static const std::regex form("[A-Za-z][A-Za-z0-9_-]*(==[A-Za-z0-9.!+_-]+)?");
  return std::regex_match(input, form);
}

bool has_open_version(const std::string& input) {
  return is_package_name(input) && input.find("==") == std::string::npos;
}

fs::path download_wheel(const std::string& input) {
  const auto requirement = input.substr(std::string(kPrefix).size());
  // Nothing that pip could take for an option, a file or an address.
  static const std::regex valid("[A-Za-z0-9][A-Za-z0-9._-]*(==[A-Za-z0-9.!+_-]+)?");
  if (!std::regex_match(requirement, valid)) {
    throw UsageError(fmt::format(
        "{}: not a package: write pypi:NAME or pypi:NAME==VERSION, as pypi:torch==2.6.0", input));
  }
  folders().push_back(std::make_unique<TemporaryFolder>());
  const auto& folder = folders().back()->path();
  auto outcome = run_pip(requirement, folder, {});
  const auto errors = outcome.errors;
  struct utsname machine = {};
  ::uname(&machine);
  for (const char* python : {"3.15", "3.14", "3.13", "3.12", "3.11", "3.10", "3.9", "3.8"}) {
    if (outcome.good || outcome.errors.find(kNoMatch) == std::string::npos) break;
    outcome = run_pip(requirement, folder, options_for(python, machine.machine));
  }
  if (outcome.good) {
    auto wheel = only_wheel(folder, requirement);
    wheels().emplace(input, wheel.filename().string());
    return wheel;
  }
  if (errors.find("No module named pip") != std::string::npos) {
    throw UsageError(fmt::format(
        "{}: python3 has no pip to download it with: install it (Debian: apt-get install "
        "python3-pip), or name a wheel that is on this machine",
        input));
  }
  const bool is_absent = outcome.errors.find(kNoMatch) != std::string::npos;
  throw UsageError(fmt::format("{}: pip cannot download it: {}", input,
                               error_of(is_absent ? errors : outcome.errors)));
}

std::vector<std::string> wheels_of(const std::string& input) {
  std::vector<std::string> names;
  const auto [begin, end] = wheels().equal_range(input);
  for (auto each = begin; each != end; ++each) names.push_back(each->second);
  return names;
}

std::string shown_path(const std::string& path) {
  for (const auto& folder : folders()) {
    const auto prefix = folder->path().string() + '/';
    if (path.rfind(prefix, 0) == 0) return path.substr(prefix.size());
  }
  return path;
}

std::string real_path(const std::string& shown) {
  std::error_code error;
  for (const auto& folder : folders()) {
    if (fs::exists(folder->path() / shown.substr(0, shown.find('!')), error)) {
      return (folder->path() / shown).string();
    }
  }
  return shown;
}

}  // namespace archgrid::cli
