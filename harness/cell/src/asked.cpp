// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/cell.hpp>
#include <charconv>
#include <fstream>
#include <iterator>

#include "words.hpp"

namespace archgrid::cell {
namespace {

using fatbin::Arch;
using fatbin::Kind;

constexpr int kFirstMajorThatDefaultsTo75 = 13;

/// Returns nvcc's default arch without a flag (nvcc's manual, --gpu-architecture).
Arch default_arch(coverage::Version toolkit) {
  return {toolkit.major >= kFirstMajorThatDefaultsTo75 ? 75 : 52, '\0'};
}

/// Reads the flags of one nvcc command that select architectures.
class Flags {
 public:
  Flags(const std::vector<std::string>& words, coverage::Version toolkit, Unit& unit)
      : toolkit_(toolkit), unit_(unit) {
    for (std::size_t index = 0; index < words.size(); ++index) {
      read(words[index], index + 1 < words.size() ? &words[index + 1] : nullptr);
      if (starts_with(words[index], "$") || starts_with(words[index], "`")) unit_.open = true;
    }
    resolve();
  }

 private:
  void read(const std::string& word, const std::string* next) {
    const auto value = [&](std::initializer_list<std::string_view> names) {
      for (const auto name : names) {
        if (word == name) return next;
        if (!starts_with(word, std::string(name) + "=")) continue;
        value_ = word.substr(name.size() + 1);
        return static_cast<const std::string*>(&value_);
      }
      return static_cast<const std::string*>(nullptr);
    };
    if (const auto* pair = value({"--generate-code", "-gencode"})) {
      // CMake writes the long form with a list in brackets.
      unit_.flags_of_project |= !starts_with(word, "--generate-code=");
      const auto code = pair->find("code=");
      note_variable(*pair);
      if (code != std::string::npos) add_codes(pair->substr(code + 5));
    } else if (const auto* arch = value({"--gpu-architecture", "-arch"})) {
      arch_ = *arch;
      note_variable(arch_);
    } else if (const auto* codes = value({"--gpu-code", "-code"})) {
      codes_ = *codes;
    }
  }

  /// A word that a shell has yet to expand names unknown archs.
  void note_variable(const std::string& value) {
    unit_.open |= value.find_first_of("$`") != std::string::npos;
  }

  void resolve() {
    if (!arch_.empty()) {
      // CMake itself writes these words, but no other arch in this form.
      unit_.flags_of_project |= arch_ != "native" && arch_ != "all" && arch_ != "all-major";
      if (codes_.empty()) {
        add_shorthand(arch_);
      } else {
        add_codes(codes_);
      }
    }
    if (unit_.code.empty() && !unit_.native && !unit_.open) add(default_arch(toolkit_), true, true);
  }

  void add_codes(std::string_view list) {
    for (const auto& item : split(list, "[],\"' ")) {
      if (const auto arch = arch_after(item, "sm_")) add(*arch, true, false);
      if (const auto arch = arch_after(item, "compute_")) add(*arch, false, true);
      if (const auto arch = arch_after(item, "lto_")) push(Kind::lto, *arch);
    }
  }

  void add_shorthand(const std::string& text) {
    if (text == "native") {
      unit_.native = true;
    } else if (text == "all" || text == "all-major") {
      add_all(text == "all-major");
    } else if (const auto arch = arch_after(text, "sm_")) {
      add(*arch, true, true);
    } else {
      add_codes(text);
    }
  }

  void add_all(bool majors_only) {
    const auto* toolkit = coverage::table().find_toolkit(toolkit_);
    if (toolkit == nullptr) return;
    Arch last;
    for (const auto arch : toolkit->archs) {
      const bool first = last.number == 0;  // all-major always includes the first arch
      if (arch.suffix != '\0' || (majors_only && !first && arch.number % 10 != 0)) continue;
      add(arch, true, false);
      last = arch;
    }
    if (last.number != 0) add(last, false, true);
  }

  static std::optional<Arch> arch_after(std::string_view text, std::string_view prefix) {
    if (!starts_with(text, prefix)) return std::nullopt;
    return read_arch(text.substr(prefix.size()));
  }

  void add(Arch arch, bool sass, bool ptx) {
    if (sass) push(Kind::sass, arch);
    if (ptx) push(Kind::ptx, arch);
  }

  void push(Kind kind, Arch arch) {
    auto& code = unit_.code.emplace_back();
    code.kind = kind;
    code.arch = arch;
  }

  coverage::Version toolkit_;
  Unit& unit_;
  std::string value_;
  std::string arch_;
  std::string codes_;
};

/// Reports whether the word at `nvcc` is the program of a command, possibly behind launchers,
/// rather than an argument of a script.
bool is_program(const std::vector<std::string>& words, std::size_t nvcc) {
  for (std::size_t index = 0; index < nvcc; ++index) {
    const auto& word = words[index];
    const auto name = word.substr(word.rfind('/') + 1);
    const bool launcher = name == "cmake" || name == "ccache" || name == "sccache" ||
                          name == "env" || name == "time" || name == "nice" || name == "exec";
    const bool argument = word[0] == '-' || word.find('=') != std::string::npos ||
                          (word == "env" && index > 0) || (word == "time" && index > 0);
    if (!launcher && !argument) return false;
  }
  return true;
}

/// Returns the arguments of nvcc if the command makes device code. Ignores links of host code, and
/// an nvcc that is only an argument of a script.
std::vector<std::string> arguments_of(const std::vector<std::string>& words) {
  const auto nvcc = std::find_if(words.begin(), words.end(), is_nvcc);
  if (nvcc == words.end()) return {};
  std::vector<std::string> arguments(nvcc + 1, words.end());
  const auto has_any = [&](std::initializer_list<std::string_view> options) {
    return std::any_of(options.begin(), options.end(),
                       [&](std::string_view option) { return has(arguments, option); });
  };
  if (has_any({"-dlink", "--device-link"})) return arguments;
  const bool input = std::any_of(arguments.begin(), arguments.end(),
                                 [](const std::string& word) { return ends_with(word, ".cu"); });
  if (!input && !has_any({"cu", "-x=cu", "--x=cu"})) return {};
  if (has_any({"-c", "--compile", "-dc", "--device-c", "-cubin", "--cubin", "-ptx", "--ptx",
               "-fatbin", "--fatbin"})) {
    return arguments;
  }
  // One step to a program or a library, if the command compiles at all.
  if (has_any({"-E", "--preprocess", "-M", "--generate-dependencies", "-MM",
               "--generate-nonsystem-dependencies", "-cuda", "--cuda", "-dryrun", "--dryrun", "-V",
               "--version", "-h", "--help"})) {
    return {};
  }
  const auto index = static_cast<std::size_t>(nvcc - words.begin());
  return is_program(words, index) ? arguments : std::vector<std::string>();
}

/// Returns the value of the last of `options` among `words`, spelled "-o x" or "-o=x".
std::optional<std::string> value_of(const std::vector<std::string>& words,
                                    std::initializer_list<std::string_view> options) {
  std::optional<std::string> value;
  for (std::size_t index = 0; index < words.size(); ++index) {
    const auto& word = words[index];
    for (const auto option : options) {
      if (word == option && index + 1 < words.size()) value = words[index + 1];
      if (starts_with(word, std::string(option) + "=")) value = word.substr(option.size() + 1);
    }
  }
  return value;
}

/// Returns the output that `words` name, relative to the tree `build` if it is in there. Without -o
/// nvcc writes into the folder that -odir names, or else into the folder that the command enters:
/// the result then is that folder with a trailing "/".
std::string output_of(const std::vector<std::string>& words, const std::filesystem::path& folder,
                      const std::filesystem::path& build) {
  const auto file = value_of(words, {"-o", "--output-file"});
  const auto directory = value_of(words, {"-odir", "--output-directory"});
  const auto output = file ? folder / *file : folder / directory.value_or("") / "";
  if (output.is_relative()) return output.lexically_normal().string();
  const auto path = output.lexically_normal();
  return !build.empty() && is_below(path, build) ? path.lexically_relative(build).string()
                                                 : path.string();
}

/// Returns the words of an options file, or nothing if it cannot be read.
std::optional<std::vector<std::string>> option_words(const std::filesystem::path& file) {
  constexpr std::uintmax_t kMaxBytes = 1 << 20;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  if (error || bytes > kMaxBytes) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::vector<std::string> words;
  for (const auto& command : parse_commands(text)) {
    words.insert(words.end(), command.words.begin(), command.words.end());
  }
  return words;
}

/// Replaces nvcc's --options-file by the options in the file. Returns false if the file cannot be
/// read, for example because the build has yet to write it.
bool read_option_files(std::vector<std::string>& words, const std::filesystem::path& folder) {
  constexpr int kMaxFiles = 100;
  int files = 0;
  for (std::size_t index = 0; index < words.size();) {
    const auto& word = words[index];
    std::string names;
    std::size_t end = index + 1;
    for (const std::string_view option : {"--options-file", "-optf"}) {
      if (word == option && end < words.size()) names = words[end++];
      if (starts_with(word, std::string(option) + "=")) names = word.substr(option.size() + 1);
    }
    if (names.empty()) {
      ++index;
      continue;
    }
    std::vector<std::string> read;
    for (const auto& name : split(names, ",")) {
      const auto more = ++files > kMaxFiles ? std::nullopt : option_words(folder / name);
      if (!more) return false;
      read.insert(read.end(), more->begin(), more->end());
    }
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(index);
    words.erase(at, words.begin() + static_cast<std::ptrdiff_t>(end));
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(index), read.begin(), read.end());
  }
  return true;
}

}  // namespace

std::optional<AskedArch> parse_asked(std::string_view text) {
  const auto dash = std::min(text.find('-'), text.size());
  const auto arch = coverage::parse_arch(text.substr(0, dash));
  const auto kind = text.substr(dash);
  if (!arch || (!kind.empty() && kind != "-real" && kind != "-virtual")) return std::nullopt;
  return AskedArch{*arch, kind != "-virtual", kind != "-real"};
}

std::string text_of(const AskedArch& asked) {
  return asked.arch.text() + (!asked.ptx ? "-real" : !asked.sass ? "-virtual" : "");
}

std::vector<Unit> asked_units(const std::vector<Command>& commands, coverage::Version toolkit,
                              const std::filesystem::path& build) {
  std::vector<Unit> units;
  for (const auto& command : commands) {
    auto words = command.words;
    const auto nvcc = std::find_if(words.begin(), words.end(), is_nvcc);
    if (nvcc == words.end() || !read_option_files(words, build / command.folder)) continue;
    words = arguments_of(words);
    if (words.empty()) continue;
    Unit unit;
    unit.output = output_of(words, command.folder, build);
    unit.target = target_of(unit.output);
    const Flags flags(words, toolkit, unit);
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace archgrid::cell
