// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "pypi.hpp"

#include <fmt/format.h>

#include <archgrid/promises/lists.hpp>
#include <archgrid/system/process.hpp>
#include <archgrid/system/programs.hpp>
#include <archgrid/system/temporary_folder.hpp>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <system_error>
#include <vector>

#include "command.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "pypi:";
constexpr const char* kNoMatch = "No matching distribution found";

/// A version that no package has.
constexpr const char* kNoVersion = "==0.0.0.dev987654321";

/// Longest text that may name a package. Matching a regular expression takes stack for each letter.
constexpr std::size_t kLongestName = 256;

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
std::vector<std::unique_ptr<system::TemporaryFolder>>& folders() {
  static std::vector<std::unique_ptr<system::TemporaryFolder>> folders;
  return folders;
}

/// The file names of the downloaded wheels, by input.
std::multimap<std::string, std::string>& wheels() {
  static std::multimap<std::string, std::string> wheels;
  return wheels;
}

/// Versions of CPython that wheels may be for, the newest first.
constexpr std::array kPythons = {"3.15", "3.14", "3.13", "3.12", "3.11", "3.10", "3.9", "3.8"};

/// Runs pip in the new folder, as python3 -m would take a pip.py of the current one, and without
/// input, as its questions are not shown. The folder has its temporary files, too, and the number
/// of its process group for the guard of the folder.
system::Captured run_pip(const fs::path& folder, const std::vector<std::string>& arguments) {
  constexpr const char* kRun =
      R"(cd "$1" && echo $$ > pid && [ -e alive ] || exit
export TMPDIR="$1" && shift && exec "$@" < /dev/null)";
  std::vector<std::string> words = {"sh", "-c", kRun, "sh", folder.string()};
  words.insert(words.end(), {"python3", "-m", "pip"});
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto outcome = system::capture(words, system::Group::own);
  fs::remove(folder / "pid");
  return outcome;
}

/// Runs `pip download` of a wheel into the folder.
system::Captured download(const fs::path& folder, const std::vector<std::string>& options,
                          const std::string& requirement) {
  std::vector<std::string> words = {"download",
                                    "--quiet",
                                    "--no-deps",
                                    "--no-input",
                                    "--disable-pip-version-check",
                                    "--only-binary=:all:",
                                    "--dest",
                                    folder.string()};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(requirement);
  return run_pip(folder, words);
}

/// Returns the rest of the line behind `mark`; nothing if the text lacks it. No regular expression:
/// pip's lines about a package with many releases are long.
std::optional<std::string> rest_behind(const std::string& text, const std::string& mark) {
  const auto found = text.find(mark);
  if (found == std::string::npos) return std::nullopt;
  const auto begin = found + mark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Returns the list in "(from versions: 2.0, 1.0)", an error of pip; empty if there is none.
std::string list_of_versions(const std::string& errors) {
  const auto rest = rest_behind(errors, "(from versions: ");
  const auto list = rest ? rest->substr(0, rest->find(')')) : std::string();
  return list == "none" ? std::string() : list;
}

/// Reports whether pip saw no release because it did not reach the index, which it only warns of.
bool is_cut_off(const std::string& errors) {
  return errors.find(kNoMatch) != std::string::npos && list_of_versions(errors).empty() &&
         errors.find("after connection broken by") != std::string::npos;
}

bool is_absent(const std::string& errors) {
  return errors.find(kNoMatch) != std::string::npos && !is_cut_off(errors);
}

/// Returns the error that pip printed first, or the plain one of a missing release.
std::string error_of(const std::string& errors) {
  if (is_cut_off(errors)) return "it cannot reach the package index";
  if (const auto missing = rest_behind(errors, kNoMatch)) return kNoMatch + *missing;
  if (const auto error = rest_behind(errors, "ERROR: ")) return *error;
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

/// Returns what pip is asked for. Throws UsageError for what pip could take for an option, a file
/// or an address.
std::string requirement_of(const std::string& input) {
  const auto requirement = input.substr(std::string(kPrefix).size());
  static const std::regex valid("[A-Za-z0-9][A-Za-z0-9._-]*(==[A-Za-z0-9.!+_-]+)?");
  const bool is_long = requirement.size() > kLongestName;
  if (!is_long && std::regex_match(requirement, valid)) return requirement;
  throw UsageError(
      fmt::format("{}{}: not a package: write pypi:NAME or pypi:NAME==VERSION, as "
                  "pypi:torch==2.6.0",
                  is_long ? input.substr(0, kLongestName) : input, is_long ? "..." : ""));
}

/// Returns the machine whose wheels are audited.
std::string wheel_machine() {
  return system::may_have_gpus() ? system::machine_name() : "x86_64";
}

/// Returns pip's options for the wheels of this system, if they may have code for GPUs.
std::vector<std::string> own_options() {
  if (system::may_have_gpus()) return {};
  return options_for(kPythons.front(), wheel_machine());
}

/// Throws UsageError if packages cannot be downloaded on this system.
void expect_shell(const std::string& input) {
  if (system::has_shell()) return;
  throw UsageError(
      fmt::format("{}: archgrid downloads packages on Linux and macOS only: run `pip download "
                  "--no-deps {}`, and name the file",
                  input, requirement_of(input)));
}

/// Returns why no wheel of a package fits, if it has releases; nothing otherwise.
std::string sources_text(const fs::path& folder, const std::string& package) {
  const auto releases =
      run_pip(folder, {"index", "versions", "--no-input", "--disable-pip-version-check", package});
  if (!releases.good) return {};
  return fmt::format(
      "it has releases, but no wheel for Linux on {} and a CPython since {}: build one (pip wheel "
      "--no-deps {}), and name its file",
      wheel_machine(), kPythons.back(), package);
}

/// Throws UsageError if the errors say that there is no pip.
void expect_pip(const std::string& input, const std::string& errors) {
  if (errors.find("No module named pip") == std::string::npos) return;
  throw UsageError(
      fmt::format("{}: python3 has no pip to download it with: install it (Debian: apt-get install "
                  "python3-pip), or name a wheel that is on this machine",
                  input));
}

}  // namespace

bool is_package_name(const std::string& input) {
  std::error_code error;
  return input.rfind(kPrefix, 0) == 0 && !fs::exists(input, error);
}

bool may_be_package(const std::string& input) {
  static const std::regex form("[A-Za-z][A-Za-z0-9_-]*(==[A-Za-z0-9.!+_-]+)?");
  return input.size() <= kLongestName && std::regex_match(input, form);
}

std::string advice_on_url(const std::string& input) {
  static const std::regex url("[A-Za-z][A-Za-z0-9+.-]*://.*");
  static const std::regex page(
      "https?://(?:www\\.)?pypi\\.org/project/([A-Za-z0-9._-]+)(?:/([0-9][A-Za-z0-9.!+_-]*))?/"
      "?(?:#.*)?");
  static const std::regex wheel(
      "https?://files\\.pythonhosted\\.org/.*/([A-Za-z0-9._]+)-([0-9][^-/%]*)-[^/]+\\.whl(?:#.*)?");
  const auto start = input.substr(0, kLongestName);
  if (!std::regex_match(start, url)) return {};
  std::smatch match;
  if (std::regex_match(start, match, page) || std::regex_match(start, match, wheel)) {
    const auto version = match[2].matched ? "==" + match[2].str() : std::string();
    return fmt::format("write pypi:{}{}, which pip downloads", match[1].str(), version);
  }
  return "download it first, and name the file";
}

bool has_open_version(const std::string& input) {
  return is_package_name(input) && input.find("==") == std::string::npos;
}

fs::path download_wheel(const std::string& input) {
  const auto requirement = requirement_of(input);
  expect_shell(input);
  folders().push_back(std::make_unique<system::TemporaryFolder>());
  const auto& folder = folders().back()->path();
  auto outcome = download(folder, own_options(), requirement);
  const auto errors = outcome.errors;
  const auto machine = wheel_machine();
  for (const char* python : kPythons) {
    if (outcome.good || !is_absent(outcome.errors)) break;
    outcome = download(folder, options_for(python, machine), requirement);
  }
  if (outcome.good) {
    auto wheel = only_wheel(folder, requirement);
    wheels().emplace(input, wheel.filename().string());
    return wheel;
  }
  expect_pip(input, errors);
  if (!is_absent(outcome.errors)) {
    throw UsageError(
        fmt::format("{}: pip cannot download it: {}", input, error_of(outcome.errors)));
  }
  const auto sources = has_open_version(input) ? sources_text(folder, requirement) : std::string();
  throw NoWheel(sources.empty()
                    ? fmt::format("{}: pip cannot download it: {}", input, error_of(errors))
                    : fmt::format("{}: {}", input, sources));
}

void remove_downloads() {
  folders().clear();
  wheels().clear();
}

std::string package_name(const std::string& input) {
  const auto requirement = is_package_name(input) ? requirement_of(input) : std::string();
  if (requirement.empty() || requirement.find('=') != std::string::npos) {
    throw UsageError(fmt::format(
        "{}: --history is about all releases of a package: write pypi:NAME, as pypi:torch", input));
  }
  return requirement;
}

std::vector<std::string> list_versions(const std::string& input) {
  const auto package = package_name(input);
  expect_shell(input);
  const system::TemporaryFolder folder;
  const auto machine = wheel_machine();
  std::vector<std::string> versions;
  const auto add = [&](const std::vector<std::string>& options) {
    // `pip index versions` lists releases without wheels, too; an error lists what has a wheel.
    const auto outcome = download(folder.path(), options, package + kNoVersion);
    expect_pip(input, outcome.errors);
    if (!is_absent(outcome.errors)) {
      throw UsageError(
          fmt::format("{}: pip cannot list its releases: {}", input, error_of(outcome.errors)));
    }
    const auto list = list_of_versions(outcome.errors);
    if (list.empty()) return;
    const auto listed = promises::split_list({list});
    versions.insert(versions.end(), listed.begin(), listed.end());
  };
  add(own_options());
  for (const char* python : kPythons) add(options_for(python, machine));
  if (!versions.empty()) return versions;
  throw UsageError(
      fmt::format("{}: pip finds no release with a wheel for Linux on {} and a CPython since {}",
                  input, machine, kPythons.back()));
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
