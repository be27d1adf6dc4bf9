// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/project/cmake_project.hpp>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>

#include "arch_variable.hpp"
#include "cmake_commands.hpp"

namespace archgrid::project {
namespace {

using Words = std::vector<std::string>;

/// Limits the values of one expansion: those of all branches multiply.
constexpr std::size_t kMaxValues = 10000;

bool ends_with_cuda(const std::string& source) {
  return source.ends_with(".cu") || source.find(".cu>") != std::string::npos;
}

std::string lower(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Returns the items of arguments, in each of which ; separates items.
Words items_of(const Words& arguments, std::size_t first) {
  Words items;
  for (auto index = first; index < arguments.size(); ++index) {
    const auto& text = arguments[index];
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = std::min(text.find(';', begin), text.size());
      if (end > begin) items.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return items;
}

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

struct File {
  const BuildFile* source = nullptr;
  std::vector<CMakeCommand> commands;
  std::map<std::string, Words> variables;
  bool is_list_file = false;  ///< CMakeLists.txt
};

bool adds_library(const std::string& command) {
  return command == "add_library" || command == "cuda_add_library";
}

bool adds_program(const std::string& command) {
  return command == "add_executable" || command == "cuda_add_executable";
}

class ProjectReader {
 public:
  explicit ProjectReader(const std::vector<BuildFile>& files) {
    for (const auto& source : files) {
      const auto path = std::filesystem::path(source.path);
      const bool is_list_file = path.filename() == "CMakeLists.txt";
      if (!is_list_file && path.extension() != ".cmake") continue;
      files_.push_back({&source, cmake_commands_in(source.text), {}, is_list_file});
    }
    // Folders above come first: their variables are visible below.
    std::stable_sort(files_.begin(), files_.end(), [](const File& left, const File& right) {
      return depth_of(left) < depth_of(right);
    });
  }

  CMakeProject read() {
    for (const auto& file : files_) find_languages_and_adders(file);
    for (auto& file : files_) read_file(file);
    std::sort(project_.targets.begin(), project_.targets.end(),
              [](const CudaTarget& left, const CudaTarget& right) {
                return std::tie(left.path, left.line) < std::tie(right.path, right.line);
              });
    if (project_.variable) project_.fixed.reset();
    project_.enables_cuda = !cuda_folders_.empty();
    return std::move(project_);
  }

 private:
  static std::ptrdiff_t depth_of(const File& file) {
    return std::count(file.source->path.begin(), file.source->path.end(), '/');
  }

  void find_languages_and_adders(const File& file) {
    std::string function;
    std::string parameter;
    for (const auto& command : file.commands) {
      const auto& arguments = command.arguments;
      if (arguments.empty()) {
        if (command.name == "endfunction" || command.name == "endmacro") function.clear();
        continue;
      }
      const bool is_project = command.name == "project" || command.name == "enable_language";
      const bool has_cuda =
          std::find(arguments.begin(), arguments.end(), "CUDA") != arguments.end();
      const bool finds_cuda = command.name == "find_package" &&
                              (arguments.front() == "CUDA" || arguments.front() == "CUDAToolkit");
      // A module may be included anywhere.
      if ((is_project && has_cuda) || finds_cuda) {
        cuda_folders_.insert(file.is_list_file ? folder_of(file.source->path) : "");
      }
      const bool is_top = file.is_list_file && folder_of(file.source->path).empty();
      if (is_project && has_cuda && is_top) project_.enables_cuda_at_top = true;
      if (command.name == "function" || command.name == "macro") {
        function = lower(arguments.front());
        parameter = arguments.size() > 1 ? "${" + arguments[1] + "}" : "";
      } else if (command.name == "endfunction" || command.name == "endmacro") {
        function.clear();
      } else if (!function.empty() && arguments.front() == parameter &&
                 (adds_library(command.name) || adds_program(command.name))) {
        adders_[function] = kind_of(command);
      }
    }
  }

  static CudaTarget::Kind kind_of(const CMakeCommand& command) {
    if (adds_program(command.name)) return CudaTarget::Kind::program;
    const bool is_object = command.arguments.size() > 1 && command.arguments[1] == "OBJECT";
    return is_object ? CudaTarget::Kind::object_library : CudaTarget::Kind::library;
  }

  [[nodiscard]] bool is_cuda_folder(std::string folder) const {
    for (;; folder = folder_of(folder)) {
      if (cuda_folders_.count(folder) != 0) return true;
      if (folder.empty()) return false;
    }
  }

  /// Returns the values of a variable, of the file or of those in the folders above.
  [[nodiscard]] const Words* value_of(const File& file, const std::string& name) const {
    const auto own = file.variables.find(name);
    if (own != file.variables.end()) return &own->second;
    for (auto other = files_.rbegin(); other != files_.rend(); ++other) {
      const auto above = folder_of(other->source->path);
      const bool is_above =
          other->is_list_file && (above.empty() || file.source->path.starts_with(above + "/"));
      const auto found = other->variables.find(name);
      if (is_above && found != other->variables.end()) return &found->second;
    }
    return nullptr;
  }

  [[nodiscard]] Words expanded(const File& file, const Words& words) const {
    Words values;
    std::size_t budget = kMaxValues;
    for (const auto& word : words) expand(file, word, values, budget);
    return values;
  }

  void expand(const File& file, const std::string& word, Words& values, std::size_t& budget) const {
    if (budget == 0) return;
    --budget;
    const auto begin = word.rfind("${");
    const auto end = begin == std::string::npos ? begin : word.find('}', begin);
    const Words* value = nullptr;
    if (end != std::string::npos) value = value_of(file, word.substr(begin + 2, end - begin - 2));
    if (value == nullptr) {
      values.push_back(word);
      return;
    }
    for (const auto& part : *value) {
      // Values are expanded when they are set: what is left in them is unknown.
      if (part.find("${") != std::string::npos) {
        values.push_back(part);
      } else {
        expand(file, word.substr(0, begin) + part + word.substr(end + 1), values, budget);
      }
      if (budget == 0) return;
    }
  }

  void read_file(File& file) {
    conditions_.clear();
    std::size_t functions = 0;
    for (const auto& command : file.commands) {
      const auto& name = command.name;
      if (name == "if" || name == "elseif" || name == "else") {
        if (name != "if" && !conditions_.empty()) {
          // The first condition counts for all branches: "if(NOT DEFINED X)".
          conditions_.back().insert(conditions_.back().end(), command.arguments.begin(),
                                    command.arguments.end());
        } else {
          conditions_.push_back(command.arguments);
        }
      } else if (name == "endif" && !conditions_.empty()) {
        conditions_.pop_back();
      } else if (name == "function" || name == "macro") {
        ++functions;
      } else if ((name == "endfunction" || name == "endmacro") && functions > 0) {
        --functions;
      } else if (name == "foreach" && !command.arguments.empty()) {
        file.variables.erase(command.arguments.front());
      } else if (functions == 0) {
        read_command(file, command);
      }
      read_archs(file, command);
    }
  }

  void read_command(File& file, const CMakeCommand& command) {
    const auto& arguments = command.arguments;
    if (arguments.empty()) return;
    if (command.name == "project") file.variables["PROJECT_NAME"] = {arguments.front()};
    if (command.name == "project" && folder_of(file.source->path).empty() && file.is_list_file &&
        project_.name.empty() && arguments.front().find('$') == std::string::npos) {
      project_.name = arguments.front();
    }
    if (command.name == "set") {
      set_variable(file, arguments.front(), items_of(arguments, 1), !conditions_.empty());
    } else if (command.name == "list" && arguments.size() > 2 &&
               (arguments.front() == "APPEND" || arguments.front() == "PREPEND")) {
      set_variable(file, arguments[1], items_of(arguments, 2), true);
    } else if (command.name == "file" && arguments.size() > 2 &&
               arguments.front().starts_with("GLOB")) {
      set_variable(file, arguments[1], items_of(arguments, 2), !conditions_.empty());
    } else if (command.name == "set_source_files_properties") {
      read_source_languages(file, arguments);
    } else if (command.name == "target_sources") {
      read_target(file, command, arguments.front(), CudaTarget::Kind::library, true);
    } else if (adds_library(command.name) || adds_program(command.name)) {
      read_target(file, command, arguments.front(), kind_of(command), false);
    } else if (const auto adder = adders_.find(command.name); adder != adders_.end()) {
      read_target(file, command, arguments.front(), adder->second, false);
    }
    read_libraries(command);
    read_switches(command);
    read_output_folders(arguments);
  }

  void read_switches(const CMakeCommand& command) {
    const auto& arguments = command.arguments;
    const auto& name = arguments.size() > 1 ? arguments[1] : arguments.front();
    if (command.name == "option" && arguments.front().ends_with("CUDA") && arguments.size() < 4) {
      const auto value = arguments.size() > 2 ? lower(arguments[2]) : "off";
      if (value == "off" || value == "false" || value == "0" || value == "no") {
        project_.switches[arguments.front()] = "ON";
      }
    } else if (command.name == "set" && arguments.size() > 2 && arguments[2] == "CACHE") {
      defaults_[arguments.front()] = arguments[1];
    } else if (command.name == "set_property" && arguments.front() == "CACHE" &&
               std::find(arguments.begin(), arguments.end(), "STRINGS") != arguments.end()) {
      const auto is_cuda = [](const std::string& word) { return lower(word) == "cuda"; };
      const auto value = std::find_if(arguments.begin() + 2, arguments.end(), is_cuda);
      const auto known = defaults_.find(name);
      if (value == arguments.end() || known == defaults_.end()) return;
      if (!is_cuda(known->second)) project_.switches[name] = *value;
    }
  }

  void read_output_folders(const Words& arguments) {
    for (std::size_t index = 0; index + 1 < arguments.size(); ++index) {
      const auto& folder = arguments[index + 1];
      const bool is_output = arguments[index].ends_with("_OUTPUT_DIRECTORY");
      const bool is_source = folder.starts_with("${PROJECT_SOURCE_DIR}") ||
                             folder.starts_with("${CMAKE_SOURCE_DIR}") ||
                             folder.starts_with("${CMAKE_CURRENT_SOURCE_DIR}");
      project_.writes_to_sources = project_.writes_to_sources || (is_output && is_source);
    }
  }

  void set_variable(File& file, const std::string& name, const Words& words, bool keeps) const {
    const auto values = expanded(file, words);
    auto& known = file.variables[name];
    if (!keeps) known.clear();
    std::set<std::string> present(known.begin(), known.end());
    for (const auto& value : values) {
      if (present.size() < kMaxValues && present.insert(value).second) known.push_back(value);
    }
  }

  void read_source_languages(const File& file, const Words& arguments) {
    const auto end = std::find(arguments.begin(), arguments.end(), "PROPERTIES");
    const auto language = std::find(end, arguments.end(), "LANGUAGE");
    if (language == arguments.end() || std::next(language) == arguments.end()) return;
    if (*std::next(language) != "CUDA") return;
    for (const auto& source : expanded(file, Words(arguments.begin(), end))) {
      // Headers are compiled only to be checked.
      if (std::filesystem::path(source).extension().string().starts_with(".c") &&
          !source.ends_with(".cuh")) {
        cuda_sources_.insert(source);
      }
    }
  }

  void read_target(File& file, const CMakeCommand& command, const std::string& written,
                   CudaTarget::Kind kind, bool is_more) {
    const Words& arguments = command.arguments;
    const auto sources = expanded(file, items_of(arguments, 1));
    static const std::set<std::string> kNone = {"ALIAS", "IMPORTED", "INTERFACE"};
    const bool is_none = !is_more && !sources.empty() &&
                         (kNone.count(sources.front()) != 0 ||
                          std::find(sources.begin(), sources.end(), "IMPORTED") != sources.end());
    if (is_none || !is_cuda_folder(folder_of(file.source->path))) return;
    const bool is_cuda = std::any_of(sources.begin(), sources.end(), [&](const std::string& word) {
      return ends_with_cuda(word) || cuda_sources_.count(word) != 0 || is_cuda_object(word);
    });
    const auto names = expanded(file, {written});
    const auto name = names.size() == 1 ? names.front() : written;
    auto& known = known_[name];
    if (!is_more && known.line == 0) known = {name, kind, file.source->path, command.line};
    if (!is_cuda) return;
    const bool is_listed = std::any_of(project_.targets.begin(), project_.targets.end(),
                                       [&](const CudaTarget& other) { return other.name == name; });
    if (!is_listed && known.line != 0) project_.targets.push_back(known);
    project_.uses_findcuda = project_.uses_findcuda || command.name.starts_with("cuda_add_");
  }

  [[nodiscard]] bool is_cuda_object(const std::string& word) const {
    return std::any_of(
        project_.targets.begin(), project_.targets.end(),
        [&](const CudaTarget& target) { return word == "$<TARGET_OBJECTS:" + target.name + ">"; });
  }

  void read_libraries(const CMakeCommand& command) {
    static const std::map<std::string, std::string> kNames = {
        {"cublas", "cublas"},     {"cublasLt", "cublas"},   {"cufft", "cufft"},
        {"cufftw", "cufft"},      {"cupti", "cupti"},       {"curand", "curand"},
        {"cusolver", "cusolver"}, {"cusparse", "cusparse"}, {"nvJitLink", "nvjitlink"},
        {"nvjpeg", "nvjpeg"},     {"nvrtc", "nvrtc"},       {"nvtx3", "nvtx"}};
    constexpr std::string_view kStatic = "_static";
    // FindCUDA's variables and commands.
    static const std::regex variable(
        "\\$\\{CUDA_(CUBLAS|CUFFT|cublas|cufft|curand|cusolver|cusparse|npp|nppi|npps)_LIBRAR");
    static const std::regex adder("^cuda_add_(cublas|cufft)_to_target$");
    std::smatch match;
    if (std::regex_search(command.name, match, adder)) project_.libraries.insert(match[1]);
    for (auto word : command.arguments) {
      if (std::regex_search(word, match, variable)) {
        const auto name = lower(match[1]);
        project_.libraries.insert(name.starts_with("npp") ? "npp" : name);
      }
      if (!word.starts_with("CUDA::")) continue;
      word.erase(0, 6);
      if (word.ends_with(kStatic)) word.resize(word.size() - kStatic.size());
      if (word.starts_with("npp")) project_.libraries.insert("npp");
      const auto found = kNames.find(word);
      if (found != kNames.end()) project_.libraries.insert(found->second);
    }
  }

  /// Reads what decides the archs: a cache variable of the project's own, or a line that no
  /// command line overrides.
  void read_archs(const File& file, const CMakeCommand& command) {
    const auto& arguments = command.arguments;
    if (command.name == "set" && arguments.size() > 2) read_variable(file, command);
    if (project_.fixed || arguments.empty() || file.source->path.find("cmake/") == 0) return;
    const auto is_about = [](const Words& words, const std::string& name) {
      return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == name || word == "${" + name + "}";
      });
    };
    constexpr const char* kArchs = "CMAKE_CUDA_ARCHITECTURES";
    const bool is_guarded =
        std::any_of(conditions_.begin(), conditions_.end(),
                    [&](const Words& condition) { return is_about(condition, kArchs); });
    const auto fix = [&](const char* what) {
      project_.fixed = FixedArchs{what, file.source->path, command.line};
    };
    const bool is_own = command.name == "set" && arguments.front() == kArchs && !is_guarded;
    // A value computed from others, as from the project's own variable, or in the cache can change.
    if (is_own && arguments.size() > 1 && arguments[1].find('$') == std::string::npos &&
        !is_about(arguments, "CACHE")) {
      fix("set(CMAKE_CUDA_ARCHITECTURES)");
    }
    const auto flags = std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
      return word.find("arch=compute_") != std::string::npos && word.find('$') == std::string::npos;
    });
    if (flags) fix("-gencode");
  }

  void read_variable(const File& file, const CMakeCommand& command) {
    static const std::set<std::string> kOthers = {"CMAKE_CUDA_ARCHITECTURES", "CUDAARCHS"};
    const auto& arguments = command.arguments;
    const bool is_cached =
        std::find(arguments.begin(), arguments.end(), "CACHE") != arguments.end() &&
        std::find(arguments.begin(), arguments.end(), "STRING") != arguments.end();
    const auto& variable = arguments.front();
    if (!is_cached || project_.variable || kOthers.count(variable) != 0) return;
    if (variable.find('$') != std::string::npos || !chooses_archs(variable)) return;
    project_.variable = ArchVariable{variable, placeholder_for(variable, arguments[1]),
                                     file.source->path, command.line};
  }

  std::vector<File> files_;
  std::set<std::string> cuda_folders_;
  /// Functions and macros that add a target by its first parameter.
  std::map<std::string, CudaTarget::Kind> adders_;
  std::map<std::string, CudaTarget> known_;
  std::set<std::string> cuda_sources_;
  std::map<std::string, std::string> defaults_;  ///< of cache variables
  std::vector<Words> conditions_;
  CMakeProject project_;
};

}  // namespace

bool CudaTarget::is_named() const {
  return name.find('$') == std::string::npos;
}

CMakeProject read_cmake_project(const std::vector<BuildFile>& files) {
  return ProjectReader(files).read();
}

}  // namespace archgrid::project
