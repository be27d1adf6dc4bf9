// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides how cells build a project without CMake, and what chooses its archs.
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/words/phrase.hpp>
#include <iterator>
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

/// Returns the text without ignored lines, comments, and data. Places stay.
std::string code_of(const BuildFile& file) {
  auto text = without_comments(file.text);
  char quote = 0;  // of a string of this line
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '\n') {
      quote = 0;
    } else if (letter == '\\' && at + 1 < text.size() && text[at + 1] != '\n') {
      ++at;
    } else if (letter == quote) {
      quote = 0;
    } else if (quote == 0 && (letter == '"' || letter == '\'')) {
      quote = letter;
    } else if (quote == 0 && letter == '#') {
      const auto end = std::min(text.find('\n', at), text.size());
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
  }
  return text;
}

/// Returns the first place in the chosen files that names archs.
template <class Choose>
std::optional<Place> named_archs_in(const ProjectFacts& facts, Choose is_chosen) {
  static const std::regex many(
      "(?:^|[^-])(?:-arch|--gpu-architecture)(?:=|[ \\t]|[\"'],[ \\t]?[\"'])[ \\t]?"
      "(?:native|all-major|all)(?![A-Za-z0-9_-])");
  for (const auto& file : facts.files) {
    if (!is_chosen(file.path)) continue;
    const auto lists = arch_lists_in(file.path, file.text);
    if (!lists.empty()) return Place{file.path, lists.front().line};
    const auto text = code_of(file);
    std::smatch match;
    if (std::regex_search(text, match, many)) {
      const auto end = text.begin() + match.position() + match.length();
      return Place{file.path, static_cast<std::size_t>(1 + std::count(text.begin(), end, '\n'))};
    }
  }
  return std::nullopt;
}

/// Reports whether Makefiles compute archs that are in no list.
bool computes_archs(const ProjectFacts& facts) {
  return std::any_of(facts.files.begin(), facts.files.end(), [](const BuildFile& file) {
    return unread_archs_in(file.path, file.text).has_value();
  });
}

/// Reports whether all cells have a variable of the environment.
bool is_of_cells(const std::string& name) {
  return name == "NVCC_GENCODE" || name == "CUDAARCHS" || name == "TORCH_CUDA_ARCH_LIST";
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

/// Adds the variables of the environment from which setup.py reads archs. Leaves out those for
/// other GPUs. Returns whether it reads a variable that every cell has.
bool add_variables(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  static const std::regex reading(
      "(?:environ\\.(?:get|setdefault)\\(|getenv\\(|environ\\[)[ \\t\\r\\n]{0,99}"
      "[\"']([A-Za-z_][A-Za-z0-9_]*)[\"']"
      "(?:[ \\t\\r\\n]{0,99},[ \\t\\r\\n]{0,99}[\"']([^\"'\\n]*)[\"'])?(\\]\\s{0,9}=[^=])?");
  static const std::regex others(".*(ROCM|HIP|AMD).*", std::regex::icase);
  bool has_own = false;
  for (const auto& file : facts.files) {
    if (file.path != "setup.py") continue;
    const auto text = code_of(file);
    for (std::sregex_iterator at(text.begin(), text.end(), reading); at != std::sregex_iterator();
         ++at) {
      const auto name = (*at)[1].str();
      const bool is_written = (*at)[3].matched;
      if (is_written) continue;
      if (is_of_cells(name)) {
        has_own = true;
        continue;
      }
      if (!chooses_archs(name) || std::regex_match(name, others)) continue;
      const auto placeholder = placeholder_for(name, (*at)[2]);
      if (!command.definitions.emplace(name, placeholder).second) continue;
      const auto line = std::count(text.begin(), text.begin() + at->position(), '\n') + 1;
      proposal.notes.push_back(fmt::format("cells choose their archs by {} ({}), of setup.py:{}",
                                           name, placeholder, line));
    }
  }
  return has_own;
}

void choose_for_python(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  const bool has_own = add_variables(facts, command, proposal);
  if (!command.definitions.empty()) return;
  if (uses_torch(facts)) {
    command.definitions["TORCH_CUDA_ARCH_LIST"] = "@CAPABILITIES_SPACE@";
    return;
  }
  if (has_own) return;
  const auto place = named_archs_in(facts, is_python);
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
        "^[ \\t]*(?:(?:export|override)[ \\t]+)*([A-Za-z_][A-Za-z0-9_]*)[ "
        "\\t]*([?:+!]*)=([^\\n]*)$");
    for (const auto& file : facts.files) {
      if (!is_makefile(file.path)) continue;
      for (auto& line : logical_lines(without_comments(file.text))) {
        if (line.text.compare(0, 1, "\t") != 0) cut_comment(line.text);
        text_ += line.text + '\n';
        std::smatch match;
        if (!std::regex_match(line.text, match, assignment)) continue;
        if (values_.count(match[1]) == 0) names_.push_back(match[1]);
        values_[match[1]].push_back(match[3]);
        if (match[2] != "?") assigned_.insert(match[1]);
      }
    }
  }

  /// Returns the variables whose values are nvcc's options for archs alone, also by other
  /// variables. Leaves out those that are a part of another, and other names of one.
  [[nodiscard]] std::vector<std::string> flags() const {
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
        if (other == name || is_alias(other)) return false;
        const auto& values = values_.at(other);
        return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
          return value.find("$(" + name + ")") != std::string::npos ||
                 value.find("${" + name + "}") != std::string::npos;
        });
      });
    };
    std::vector<std::string> wholes;
    for (const auto& name : names_) {
      if (found.count(name) != 0 && !is_alias(name) && !is_part(name)) wholes.push_back(name);
    }
    return wholes;
  }

  /// Returns the archs that the options of such a variable name, also by other variables; nothing
  /// if make computes them.
  [[nodiscard]] std::optional<std::set<std::string>> archs_of(const std::string& name) const {
    static const std::regex arch("(?:sm|compute)_([0-9]+[af]?)");
    std::set<std::string> archs;
    std::set<std::string> seen = {name};
    std::vector<std::string> left = {name};
    while (!left.empty()) {
      const auto next = left.back();
      left.pop_back();
      for (const auto& value : values_.at(next)) {
        if (value.find("foreach") != std::string::npos) return std::nullopt;
        for (std::sregex_iterator at(value.begin(), value.end(), arch);
             at != std::sregex_iterator(); ++at) {
          archs.insert((*at)[1]);
        }
        for (const auto& part : references_in(value)) {
          if (values_.count(part) != 0 && seen.insert(part).second) left.push_back(part);
        }
      }
    }
    return archs.empty() ? std::nullopt : std::optional(archs);
  }

  /// Reports whether make takes archs from a variable of the environment that every cell has.
  [[nodiscard]] bool reads_environment() const {
    static const std::regex reference("\\$[({](NVCC_GENCODE|CUDAARCHS|TORCH_CUDA_ARCH_LIST)[)}]");
    for (std::sregex_iterator at(text_.begin(), text_.end(), reference);
         at != std::sregex_iterator(); ++at) {
      if (assigned_.count((*at)[1]) == 0) return true;
    }
    return false;
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
  static std::vector<std::string> references_in(const std::string& value) {
    static const std::regex reference("\\$[({]([A-Za-z_][A-Za-z0-9_]*)[)}]");
    std::vector<std::string> names;
    for (std::sregex_iterator at(value.begin(), value.end(), reference);
         at != std::sregex_iterator(); ++at) {
      names.push_back((*at)[1]);
    }
    return names;
  }

  /// Reports whether a variable is another name of one: LEGACY = $(GENCODE).
  [[nodiscard]] bool is_alias(const std::string& name) const {
    static const std::regex alone("[ \\t]*\\$[({][A-Za-z_][A-Za-z0-9_]*[)}][ \\t\\r]*");
    const auto& values = values_.at(name);
    return values.size() == 1 && std::regex_match(values.front(), alone);
  }

  /// Erases a comment at the end of a line that is no command of a rule.
  static void cut_comment(std::string& line) {
    for (auto at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
      if (at > 0 && line[at - 1] == '\\') continue;
      line.erase(at);
      return;
    }
  }

  /// Reports whether values consist of options, loops that make options, and known variables.
  static bool has_flags_alone(const std::vector<std::string>& values,
                              const std::set<std::string>& known) {
    static const std::regex option(
        "(?:--?gencode|--generate-code|-arch|--gpu-architecture|-code|--gpu-code)[= ]+"
        "(?:(?:arch=)?(?:sm|compute)_[^ \\t]+|(?:native|all-major|all)(?![^ \\t\\r\"']))");
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
  std::set<std::string> assigned_;  ///< those whose values come before the environment's
};

/// Sets the variables that have all archs. A variable with fewer stays as the project builds it: a
/// cell that mended it would hide what the project lacks.
void set_flags(const MakeVariables& variables, const std::vector<std::string>& flags,
               BuildCommand& command, Proposal& proposal) {
  std::set<std::string> all;
  for (const auto& name : flags) {
    if (const auto archs = variables.archs_of(name)) all.insert(archs->begin(), archs->end());
  }
  for (const auto& name : flags) {
    const auto archs = variables.archs_of(name);
    if (!archs || *archs == all) {
      command.words += fmt::format(" \"{}=@GENCODE@\"", name);
      continue;
    }
    std::vector<std::string> lacking;
    std::set_difference(all.begin(), all.end(), archs->begin(), archs->end(),
                        std::back_inserter(lacking));
    proposal.notes.push_back(fmt::format(
        "{} of the Makefile has {} and lacks {}, which another variable has: cells leave it as it "
        "is, so that audits show what lacks that",
        name, report::enumerated(*archs), report::enumerated(lacking)));
  }
}

void choose_for_make(const ProjectFacts& facts, BuildCommand& command, Proposal& proposal) {
  const MakeVariables variables(facts);
  if (const auto flags = variables.flags(); !flags.empty()) {
    set_flags(variables, flags, command, proposal);
  } else if (const auto numbers = variables.numbers(); !numbers.empty()) {
    command.words = fmt::format("make \"{}=@ARCHS_SPACE@\"", numbers);
  } else if (named_archs_in(facts, [](const std::string& path) { return is_makefile(path); }) ||
             (computes_archs(facts) && !variables.reads_environment())) {
    proposal.notes.emplace_back(
        "no variable of the Makefile has -gencode alone, so cells cannot choose its archs: add "
        "one, and write COMMAND make \"NVCC_GENCODE=@GENCODE@\"");
  } else if (!variables.reads_environment()) {
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
