// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "late_archs.hpp"

#include <algorithm>
#include <optional>

#include "cmake_commands.hpp"

namespace archgrid::project {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kArchs = "CMAKE_CUDA_ARCHITECTURES";

bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the version of cmake_minimum_required() whose policies hold: of 3.10...3.30 the latter.
std::optional<coverage::Version> policy_version(const std::vector<CMakeCommand>& commands) {
  for (const auto& command : commands) {
    if (command.name != "cmake_minimum_required" || command.arguments.size() < 2) continue;
    auto text = command.arguments[1];
    const auto range = text.find("...");
    if (range != std::string::npos) text.erase(0, range + 3);
    const auto patch = text.find('.', text.find('.') + 1);
    return coverage::parse_version(text.substr(0, patch));
  }
  return std::nullopt;
}

/// Reports whether a condition is false once CMake has set the archs: each of its alternatives,
/// which OR separates, requires that there are none.
bool needs_no_archs(const Words& condition) {
  const std::vector<Words> alternatives = {{"NOT", kArchs},
                                           {"NOT", "DEFINED", kArchs},
                                           {kArchs, "STREQUAL", ""},
                                           {std::string("${") + kArchs + "}", "STREQUAL", ""}};
  for (auto begin = condition.begin();;) {
    const auto end = std::find(begin, condition.end(), "OR");
    if (std::find(alternatives.begin(), alternatives.end(), Words(begin, end)) ==
        alternatives.end()) {
      return false;
    }
    if (end == condition.end()) return true;
    begin = std::next(end);
  }
}

/// One branch of an if().
struct Branch {
  std::size_t id = 0;
  bool needs_no_archs = false;  ///< if(NOT CMAKE_CUDA_ARCHITECTURES)
};

/// Follows the branches of a file to where CMake sets CMAKE_CUDA_ARCHITECTURES.
class LateReader {
 public:
  explicit LateReader(std::string_view path) : path_(path) {}

  std::vector<LateArchs> read(const std::vector<CMakeCommand>& commands) {
    for (const auto& command : commands) read(command);
    return std::move(late_);
  }

 private:
  void read(const CMakeCommand& command) {
    const auto& name = command.name;
    const auto& arguments = command.arguments;
    if (name == "function" || name == "macro") ++functions_;
    if ((name == "endfunction" || name == "endmacro") && functions_ > 0) --functions_;
    if (functions_ > 0) return;
    if (name == "if") {
      branches_.push_back({++ids_, needs_no_archs(arguments)});
    } else if ((name == "elseif" || name == "else") && !branches_.empty()) {
      branches_.back() = {++ids_, false};
    } else if (name == "endif" && !branches_.empty()) {
      branches_.pop_back();
    }
    const bool is_project = name == "project" || name == "enable_language";
    if (is_project && contains(arguments, "CUDA") && !since_) {
      since_ = command.line;
      since_branches_ = branches_;
    }
    const bool is_cleared = name == "unset" || (name == "set" && arguments.size() < 2);
    if (arguments.empty() || arguments.front() != kArchs) return;
    if (is_cleared || (name == "set" && arguments[1].empty())) {
      since_.reset();
    } else if (name == "set" && is_late()) {
      late_.push_back({path_, command.line, *since_});
    }
  }

  /// Reports whether this place is reached only with CUDA enabled, and never without archs.
  [[nodiscard]] bool is_late() const {
    if (!since_ || branches_.size() < since_branches_.size()) return false;
    const bool is_below =
        std::equal(since_branches_.begin(), since_branches_.end(), branches_.begin(),
                   [](const Branch& left, const Branch& right) { return left.id == right.id; });
    return is_below &&
           std::any_of(branches_.begin() + static_cast<std::ptrdiff_t>(since_branches_.size()),
                       branches_.end(), [](const Branch& branch) { return branch.needs_no_archs; });
  }

  std::string path_;
  std::size_t functions_ = 0;
  std::size_t ids_ = 0;
  std::vector<Branch> branches_;
  std::optional<std::size_t> since_;  ///< the line that enables CUDA
  std::vector<Branch> since_branches_;
  std::vector<LateArchs> late_;
};

}  // namespace

std::vector<LateArchs> late_archs_in(std::string_view path, std::string_view text,
                                     std::string_view policies) {
  constexpr coverage::Version kFirst = {3, 18};
  const auto commands = cmake_commands_in(text);
  auto version = policy_version(commands);
  if (!version) version = policy_version(cmake_commands_in(policies));
  if (!version || *version < kFirst) return {};
  return LateReader(path).read(commands);
}

}  // namespace archgrid::project
