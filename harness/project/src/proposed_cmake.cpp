// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/words/phrase.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

using nlohmann::json;

constexpr const char* kLists = "CMakeLists.txt";
constexpr const char* kPresets = "CMakePresets.json";
constexpr std::size_t kEnd = std::numeric_limits<std::size_t>::max();

bool mentions(const ProjectFacts& facts, std::string_view word) {
  return std::any_of(facts.files.begin(), facts.files.end(), [&](const BuildFile& file) {
    const bool is_cmake = file.path.ends_with("CMakeLists.txt") || file.path.ends_with(".cmake");
    return is_cmake && file.text.find(word) != std::string::npos;
  });
}

/// Returns the targets to audit: libraries, else object libraries or programs.
std::vector<std::string> audited_targets(const CMakeProject& cmake) {
  for (const auto kind :
       {CudaTarget::Kind::library, CudaTarget::Kind::object_library, CudaTarget::Kind::program}) {
    std::vector<std::string> names;
    for (const auto& target : cmake.targets) {
      if (target.kind == kind && target.is_named()) names.push_back(target.name);
    }
    if (!names.empty()) return names;
  }
  return {};
}

/// Reports whether archgrid_promise(DEVICES) can make the promise, whatever the toolkit.
bool is_simple(const ProposedMatrix& matrix) {
  return !matrix.is_there && matrix.promises.size() == 1 &&
         matrix.promises.front().toolkits.empty();
}

std::string promise_lines(const CMakeProject& cmake, const ProposedMatrix& matrix) {
  const auto& promises = matrix.promises;
  if (!is_simple(matrix)) {
    // Without the language CUDA no compiler says its toolkit.
    const auto* toolkit = cmake.uses_findcuda ? " TOOLKIT ${CUDA_VERSION}" : "";
    return fmt::format("archgrid_promise(MATRIX {}{})", matrix.path, toolkit);
  }
  std::vector<std::string> devices;
  for (const auto device : promises.front().devices) devices.push_back(device.text());
  return fmt::format("archgrid_promise(DEVICES {}{})", fmt::join(devices, " "),
                     promises.front().accepts_jit ? " ACCEPT native compatible jit" : "");
}

/// Returns lines that make the version of the compiler, by which a matrix file's promises are
/// selected, visible at the top where a folder below has enabled CUDA.
std::string language_lines(const CMakeProject& cmake, const ProposedMatrix& matrix) {
  if (is_simple(matrix) || cmake.uses_findcuda || cmake.enables_cuda_at_top) return {};
  return "    if(NOT DEFINED CMAKE_CUDA_COMPILER_VERSION)\n"
         "      enable_language(CUDA) # which a folder below did for itself\n"
         "    endif()\n";
}

std::string audit_lines(const CMakeProject& cmake, const ProposedMatrix& matrix,
                        const std::vector<std::string>& targets) {
  const auto* enabled = cmake.uses_findcuda ? "(archgrid_languages MATCHES CUDA OR CUDA_FOUND)"
                                            : "archgrid_languages MATCHES CUDA";
  return fmt::format(
      "\n"
      "# Adds tests that each kernel has code for every promised GPU, if archgrid is installed:\n"
      "#   ctest --label-regex fatbin --no-tests=error --output-on-failure\n"
      "# They fail in a build for fewer GPUs{}.\n"
      "get_property(archgrid_languages GLOBAL PROPERTY ENABLED_LANGUAGES)\n"
      "if({} AND CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n"
      "  find_package(ArchGrid QUIET)\n"
      "  if(COMMAND archgrid_audit)\n"
      "{}"
      "    {}\n"
      "    foreach(archgrid_target IN ITEMS {})\n"
      "      if(TARGET ${{archgrid_target}})\n"
      "        archgrid_audit(${{archgrid_target}})\n"
      "      endif()\n"
      "    endforeach()\n"
      "  else()\n"
      "    message(STATUS \"archgrid is not installed: no audits\")\n"
      "  endif()\n"
      "endif()\n",
      is_simple(matrix) ? "" : ", or by a CUDA toolkit that the matrix file lacks", enabled,
      language_lines(cmake, matrix), promise_lines(cmake, matrix), fmt::join(targets, " "));
}

void note_computed_names(const CMakeProject& cmake, Proposal& proposal) {
  for (const auto& target : cmake.targets) {
    if (target.is_named()) continue;
    proposal.notes.push_back(
        fmt::format("{}:{}: only CMake can compute the name of {}: add archgrid_audit({}) there",
                    target.path, target.line, target.name, target.name));
  }
}

/// Names the targets that get no audit beside libraries: most are tests and examples.
void note_left_out(const CMakeProject& cmake, const std::vector<std::string>& audited,
                   Proposal& proposal) {
  std::vector<std::string> others;
  for (const auto& target : cmake.targets) {
    const bool is_audited = std::find(audited.begin(), audited.end(), target.name) != audited.end();
    if (!is_audited && target.is_named() && target.kind == CudaTarget::Kind::program) {
      others.push_back(target.name);
    }
  }
  if (audited.empty() || others.empty()) return;
  proposal.notes.push_back(
      fmt::format("programs get no audit beside libraries: add archgrid_audit() for those of {} "
                  "that you ship",
                  report::enumerated(others)));
}

/// Returns whether lines were proposed, or are there.
bool propose_audits(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal) {
  const auto* lists = facts.text_of(kLists);
  if (lists == nullptr) return false;
  if (mentions(facts, "archgrid_audit")) {
    proposal.kept.push_back(fmt::format("archgrid_audit() in {}", kLists));
    return true;
  }
  const auto targets = audited_targets(facts.cmake);
  if (targets.empty()) {
    proposal.notes.push_back(
        fmt::format("no target with .cu files and a plain name was found in the CMake files: add "
                    "archgrid_audit(<target>) where it is made"));
  }
  note_computed_names(facts.cmake, proposal);
  note_left_out(facts.cmake, targets, proposal);
  if (targets.empty()) return false;
  add_lines(proposal, kLists, *lists, kEnd, audit_lines(facts.cmake, matrix, targets));
  return true;
}

/// Returns the only visible configure preset, else the one named "default" or "release"; empty if
/// there is none.
std::string configure_preset(const json& presets) {
  std::vector<std::string> names;
  for (const auto& preset : presets.value("configurePresets", json::array())) {
    if (!preset.value("hidden", false)) names.push_back(preset.value("name", ""));
  }
  if (names.size() == 1) return names.front();
  for (const char* usual : {"default", "release", "Release"}) {
    if (std::find(names.begin(), names.end(), usual) != names.end()) return usual;
  }
  return {};
}

/// Returns the text with a block of lines before line `line`.
std::string with_lines(const std::string& text, std::size_t line, const std::string& lines) {
  Proposal proposal;
  add_lines(proposal, kPresets, text, line, lines);
  return proposal.files.front().after;
}

/// Reports whether the text has all presets of `before` and one test preset more.
bool only_adds(const json& before, const std::string& text) {
  auto after = json::parse(text, nullptr, false);
  if (after.is_discarded() || !after["testPresets"].is_array()) return false;
  auto& presets = after["testPresets"];
  presets.erase(presets.begin());
  if (presets.empty() && !before.contains("testPresets")) after.erase("testPresets");
  return after == before;
}

void propose_preset(const ProjectFacts& facts, Proposal& proposal) {
  const auto* text = facts.text_of(kPresets);
  if (text == nullptr) return;
  if (text->find("\"archgrid\"") != std::string::npos) {
    proposal.kept.push_back(fmt::format("the preset archgrid in {}", kPresets));
    return;
  }
  const auto presets = json::parse(*text, nullptr, false);
  std::string name;
  try {
    if (presets.is_object()) name = configure_preset(presets);
  } catch (const json::exception&) {
    // A preset of another type than CMake's.
  }
  const auto preset = fmt::format(
      "{{\"name\": \"archgrid\", \"configurePreset\": {}, \"filter\": {{\"include\": "
      "{{\"label\": \"^fatbin$\"}}}}, \"output\": {{\"outputOnFailure\": true}}}}",
      json(name.empty() ? "<yours>" : name).dump());
  const auto lines = lines_of(*text);
  for (std::size_t line = 0; !name.empty() && line < lines.size(); ++line) {
    auto words = std::string(lines[line]);
    words.erase(
        std::remove_if(words.begin(), words.end(),
                       [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }),
        words.end());
    std::string added;
    if (words == "\"testPresets\":[") {
      added = "    " + preset + ",\n";
    } else if (words.starts_with("\"version\":") && words.ends_with(',') &&
               !presets.contains("testPresets")) {
      added = "  \"testPresets\": [\n    " + preset + "\n  ],\n";
    }
    if (added.empty() || !only_adds(presets, with_lines(*text, line + 1, added))) continue;
    add_lines(proposal, kPresets, *text, line + 1, added);
    return;
  }
  proposal.notes.push_back(
      fmt::format("{} is not extended ({}): add this to its testPresets\n  {}", kPresets,
                  name.empty() ? "which configure preset ships is unknown" : "its layout", preset));
}

}  // namespace

void propose_cmake(const ProjectFacts& facts, const ProposedMatrix& matrix, Proposal& proposal) {
  if (propose_audits(facts, matrix, proposal)) propose_preset(facts, proposal);
}

}  // namespace archgrid::project
