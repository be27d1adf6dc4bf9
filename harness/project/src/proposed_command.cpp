// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides how cells build a project without CMake, and what chooses its archs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include "arch_variable.hpp"
#include "computed_archs.hpp"
#include "proposal_parts.hpp"

namespace archgrid::project {
namespace {

namespace fs = std::filesystem;

/// A place in a build file.
struct Place {
  std::string path;
  std::size_t line = 0;
};

bool is_python(const std::string& path) {
  const auto name = fs::path(path).filename().string();
  return name == "setup.py" || name == "pyproject.toml" || name == "setup.cfg";
}

/// Returns the first place in the chosen files that names archs, or computes them.
template <class Choose>
std::optional<Place> archs_in(const ProjectFacts& facts, Choose is_chosen) {
  for (const auto& file : facts.files) {
    if (!is_chosen(file.path)) continue;
    const auto lists = arch_lists_in(file.path, file.text);
    if (!lists.empty()) return Place{file.path, lists.front().line};
    if (const auto unread = unread_archs_in(file.path, file.text)) {
      return Place{file.path, unread->line};
    }
  }
  return std::nullopt;
}

/// Lets every nvcc of a cell compile for its archs, too.
void append_flags(BuildCommand& command, Proposal& proposal) {
  command.definitions["NVCC_APPEND_FLAGS"] = "@GENCODE@";
  proposal.notes.emplace_back(
      "no build file chooses archs: cells choose them by NVCC_APPEND_FLAGS (@GENCODE@)");
}

/// Reports whether PyTorch builds the project: other packages have a CUDAExtension, too.
bool uses_torch(const ProjectFacts& facts) {
  return std::any_of(facts.files.begin(), facts.files.end(), [](const BuildFile& file) {
    const auto contains = [&](const char* word) {
      return file.text.find(word) != std::string::npos;
    };
    return is_python(file.path) &&
           (contains("TORCH_CUDA_ARCH_LIST") || (contains("CUDAExtension") && contains("torch")));
  });
}

/// Adds the variables of the environment from which setup.py reads archs. Leaves out those that
/// every cell has, and those for other GPUs.
void add_variables(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  static const std::regex reading(
      "(?:environ\\.get\\(|getenv\\(|environ\\[)\\s*[\"']([A-Za-z_][A-Za-z0-9_]*)[\"']"
      "(?:\\s*,\\s*[\"']([^\"'\\n]*)[\"'])?(\\]\\s*=[^=])?");
  static const std::regex others("TORCH_CUDA_ARCH_LIST|NVCC_GENCODE|CUDAARCHS|.*(ROCM|HIP|AMD).*",
                                 std::regex::icase);
  const auto* text = facts.text_of("setup.py");
  if (text == nullptr) return;
  for (std::sregex_iterator at(text->begin(), text->end(), reading); at != std::sregex_iterator();
       ++at) {
    const auto name = (*at)[1].str();
    const bool is_written = (*at)[3].matched;
    if (is_written || !chooses_archs(name) || std::regex_match(name, others)) continue;
    const auto placeholder = placeholder_for(name, (*at)[2]);
    if (!command.definitions.emplace(name, placeholder).second) continue;
    const auto line = std::count(text->begin(), text->begin() + at->position(), '\n') + 1;
    proposal.notes.push_back(fmt::format("cells choose their archs by {} ({}), of setup.py:{}",
                                         name, placeholder, line));
  }
}

void choose_for_python(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  add_variables(facts, command, proposal);
  if (!command.definitions.empty()) return;
  if (uses_torch(facts)) {
    command.definitions["TORCH_CUDA_ARCH_LIST"] = "@CAPABILITIES_SPACE@";
    return;
  }
  const auto place = archs_in(facts, is_python);
  if (!place) {
    append_flags(command, proposal);
    return;
  }
  proposal.notes.push_back(
      fmt::format("{}:{} names archs, which cells cannot change: read them from the environment "
                  "variable NVCC_GENCODE, as -gencode flags",
                  place->path, place->line));
}

/// The variables of Makefiles.
class MakeVariables {
 public:
  explicit MakeVariables(const ProjectFacts& facts) {
    static const std::regex assignment(
        "(?:^|\\n)[ \\t]*(?:(?:export|override)[ \\t]+)*([A-Za-z_][A-Za-z0-9_]*)[ "
        "\\t]*[?:+]*=([^\\n]*)");
    for (const auto& file : facts.files) {
      if (!is_makefile(file.path)) continue;
      auto text = file.text;
      for (auto at = text.find("\\\n"); at != std::string::npos; at = text.find("\\\n", at)) {
        text.replace(at, 2, "  ");
      }
      for (std::sregex_iterator at(text.begin(), text.end(), assignment);
           at != std::sregex_iterator(); ++at) {
        if (values_.count((*at)[1]) == 0) names_.push_back((*at)[1]);
        values_[(*at)[1]].push_back((*at)[2]);
      }
      text_ += text;
    }
  }

  /// Returns a variable whose values are nvcc's options for archs alone, also by other variables;
  /// empty if there is none.
  [[nodiscard]] std::string flags() const {
    std::set<std::string> found;
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      for (const auto& [name, values] : values_) {
        if (found.count(name) == 0 && has_flags_alone(values, found)) {
          has_grown = found.insert(name).second;
        }
      }
    }
    const auto is_part = [&](const std::string& name) {
      return std::any_of(found.begin(), found.end(), [&](const std::string& other) {
        const auto& values = values_.at(other);
        return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
          return value.find("$(" + name + ")") != std::string::npos ||
                 value.find("${" + name + "}") != std::string::npos;
        });
      });
    };
    for (const auto& name : names_) {
      if (found.count(name) != 0 && !is_part(name)) return name;
    }
    return {};
  }

  /// Returns a variable with numbers, for each of which make computes options; empty if there is
  /// none.
  [[nodiscard]] std::string numbers() const {
    for (const auto& list : computed_archs_in(text_).lists) {
      const std::regex loop("\\$[({](?:foreach[ \\t]+[A-Za-z0-9_]+[ \\t]*,[ \\t]*\\$[({]" +
                            list.name + "[)}]|" + list.name + ":%=)");
      if (values_.count(list.name) != 0 && std::regex_search(text_, loop)) return list.name;
    }
    return {};
  }

 private:
  /// Reports whether values consist of options, loops that make options, and known variables.
  static bool has_flags_alone(const std::vector<std::string>& values,
                              const std::set<std::string>& known) {
    static const std::regex option(
        "(?:--?gencode|--generate-code|-arch|--gpu-architecture|-code|--gpu-code)[= ]+"
        "(?:arch=)?(?:sm|compute)_[^ \\t]+");
    static const std::regex loop("^[ \\t]*\\$[({]foreach[ \\t].*gencode.*[)}][ \\t]*$");
    static const std::regex reference("\\$[({]([A-Za-z_][A-Za-z0-9_]*)[)}]");
    bool has_flags = false;
    for (const auto& value : values) {
      if (std::regex_match(value, loop)) {
        has_flags = true;
        continue;
      }
      auto rest = std::regex_replace(value, option, "");
      has_flags = has_flags || rest != value;
      for (std::sregex_iterator at(value.begin(), value.end(), reference);
           at != std::sregex_iterator(); ++at) {
        if (known.count((*at)[1]) == 0) continue;
        has_flags = true;
        const auto word = at->str();
        for (auto place = rest.find(word); place != std::string::npos; place = rest.find(word)) {
          rest.erase(place, word.size());
        }
      }
      if (rest.find_first_not_of(" \t\r\"'") != std::string::npos) return false;
    }
    return has_flags;
  }

  std::string text_;
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> names_;  ///< by their first place
};

void choose_for_make(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  const MakeVariables variables(facts);
  if (const auto flags = variables.flags(); !flags.empty()) {
    command.words = fmt::format("make \"{}=@GENCODE@\"", flags);
  } else if (const auto numbers = variables.numbers(); !numbers.empty()) {
    command.words = fmt::format("make \"{}=@ARCHS_SPACE@\"", numbers);
  } else if (archs_in(facts, [](const std::string& path) { return is_makefile(path); })) {
    proposal.notes.emplace_back(
        "no variable of the Makefile has -gencode alone, so cells cannot choose its archs: add "
        "one, and write COMMAND make \"NVCC_GENCODE=@GENCODE@\"");
  } else {
    append_flags(command, proposal);
  }
}

}  // namespace

BuildCommand find_command(const ProjectFacts& facts, Proposal& proposal) {
  BuildCommand command;
  if (facts.text_of("CMakeLists.txt") != nullptr) return command;
  if (facts.exists("setup.py")) {
    command.words = "python3 setup.py bdist_wheel";
    choose_for_python(facts, command, proposal);
  } else if (facts.exists("pyproject.toml")) {
    command.words = "python3 -m pip wheel --no-deps --wheel-dir dist .";
    choose_for_python(facts, command, proposal);
  } else if (facts.exists("Makefile")) {
    command.words = "make";
    choose_for_make(facts, command, proposal);
  }
  return command;
}

}  // namespace archgrid::project
