// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cell_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "facts_text.hpp"

namespace archgrid::report {
namespace {

using coverage::Facts;

/// Sentences for the keywords of archgrid.cell/1 about files that are not audited.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kWhyUnaudited = {{
    {"nvidia",
     "it has the name of a library of NVIDIA; if you build and ship it, audit it by itself"},
    {"foreign",
     "it has the name of another project's package; if you build and ship it, audit it by itself"},
    {"unmade",
     "no command of the build names it as its output; if you ship it, audit it by itself"},
    {"environment",
     "it lies in a virtual environment of Python; if you build and ship it, audit it by itself"},
    {"source",
     "it lies prebuilt in the project's repository, and the command did not write it; if you ship "
     "it, audit it by itself"},
    {"outside",
     "it was written outside the cell's tree after the cell was configured; if the build did it, "
     "write it below CMAKE_BINARY_DIR, as every cell overwrites it; else audit it by itself"},
    {"outdated",
     "its target is not part of what was built, and it may be older than its sources; build the "
     "target, or delete the file"},
    {"leftover",
     "it may be older than its sources: its target is not part of what was built, and install() "
     "names it; build the target before you install"},
    {"linked",
     "a static library that the host compiler's -flto hides the device code of; what is linked "
     "with it is audited; if you ship it, compile it without -flto"},
    {"opaque",
     "install() names it, and its device code lies in a format that archgrid does not know; audit "
     "what it is made of"},
    {"unreadable", "it is a package, or lies in one, and archgrid cannot read it"},
    {"prebuilt",
     "it is prebuilt, outside the cell's tree or in fetched sources, and linked or installed; "
     "audit it by itself"},
    {"installing",
     "install(CODE) or install(SCRIPT) runs a program there that may compile, and what that makes "
     "is not seen; let the build make it"},
}};

/// Returns `text` as one word of a POSIX shell.
std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

/// Returns "its status is failed (build): nvcc fatal, see cells/cu130-sm90.log".
std::string status_text(const Facts& facts) {
  const auto& status = fact(facts, "status");
  const auto& step = optional_fact(facts, "step");
  const auto& reason = optional_fact(facts, "reason");
  const auto& log = optional_fact(facts, "log");
  auto text = "its status is " + status;
  if (status == "failed" && !step.empty()) text += " (" + step + ")";
  if (!reason.empty()) text += ": " + reason;
  if (!log.empty()) text += ", see " + log;
  return text;
}

std::string problem_text(const Facts& facts) {
  const auto& problem = fact(facts, "problem");
  if (problem == "never-built") return "it was never built";
  if (problem == "edited") return "its sources have changed since it was built";
  if (problem == "stale") return "it was built with other settings than it is configured with now";
  if (problem == "old-state") return "an earlier archgrid wrote its state";
  if (problem == "matrix-changed") {
    return fact(facts, "matrix") + " has changed since the tree was configured";
  }
  return status_text(facts);
}

}  // namespace

std::string not_built_text(const Facts& facts) {
  return "the cell keeps no promise: " + problem_text(facts);
}

std::string not_built_fix(const coverage::Finding& finding) {
  const auto& status = optional_fact(finding.facts, "status");
  const auto folder = shell_word(fact(finding.facts, "tree"));
  const auto build = fmt::format("cmake --build {} --target {}", folder, finding.cell);
  if (status == "impossible") {
    return fmt::format("mend that, then configure and build: cmake {} && {}", folder, build);
  }
  if (status == "failed") return "mend that, then build it again: " + build;
  return fmt::format("build it{}: {}", status.empty() ? "" : " again", build);
}

std::string unaudited_text(const Facts& facts) {
  // An unknown keyword, from a newer archgrid, is shown as it is.
  const auto& why = fact(facts, "why");
  const auto& reason = fact(facts, "reason");
  const auto* const found = std::find_if(kWhyUnaudited.begin(), kWhyUnaudited.end(),
                                         [&](const auto& row) { return row.first == why; });
  return fmt::format("{}: {}{}{}", why == "leftover" ? "audited as it is" : "not audited",
                     found == kWhyUnaudited.end() ? std::string_view(why) : found->second,
                     reason.empty() ? "" : ": ", reason);
}

std::string targets_text(const Facts& facts) {
  const auto& more = fact(facts, "more");
  return fmt::format("not built, so not audited: {}{}", fact(facts, "targets"),
                     more == "0" ? std::string() : fmt::format(" and {} more", more));
}

std::string other_cells_text(const Facts& facts) {
  return fmt::format("CUDA {}: no cell that serves {} holds {} of {} kernels, the first {} of {}",
                     fact(facts, "toolkit"), fact(facts, "device"), fact(facts, "kernels"),
                     fact(facts, "of"), fact(facts, "first"), fact(facts, "cell"));
}

}  // namespace archgrid::report
