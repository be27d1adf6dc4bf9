// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "computed_archs.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace archgrid::project {
namespace {

/// Returns what `pattern` finds, one group of each match.
std::vector<Piece> matches(const Piece& piece, const std::regex& pattern, std::size_t group) {
  std::vector<Piece> found;
  for (std::sregex_iterator at(piece.text.begin(), piece.text.end(), pattern);
       at != std::sregex_iterator(); ++at) {
    found.push_back({piece.at + static_cast<std::size_t>(at->position(group)), (*at)[group]});
  }
  return found;
}

class MakeReader {
 public:
  explicit MakeReader(const std::string& text) : lines_(logical_lines(text)) {
    static const std::regex assignment(
        "^[ \\t]*(?:(?:export|override)[ \\t]+)*([A-Za-z_][A-Za-z0-9_]*)[ \\t]*(?:[?+!]|:{1,3})?="
        "[ \\t]*(.*)$");
    for (const auto& line : lines_) {
      std::smatch match;
      if (!std::regex_match(line.text, match, assignment)) continue;
      values_[match[1]].push_back(
          {line.at + static_cast<std::size_t>(match.position(2)), match[2]});
    }
    static const std::regex cuda("nvcc|cuda", std::regex::icase);
    compiles_cuda_ = std::regex_search(text, cuda);
  }

  ComputedArchs read() {
    for (const auto& line : lines_) {
      if (!read_line(line) && !found_.unread) found_.unread = line.at;
    }
    return std::move(found_);
  }

 private:
  using Loops = std::map<std::string, Piece>;

  /// Returns false if the line computes archs that are in no list.
  bool read_line(const Piece& line) {
    static const std::regex about("gencode|arch=|code=|foreach");
    static const std::regex loop("\\$[({]foreach[ \\t]+([A-Za-z_][A-Za-z0-9_]*)[ \\t]*,([^,]*),");
    static const std::regex number("(?:sm|compute)_(\\$[({][^)}]*[)}]|\\$.|%)");
    static const std::regex substitution(
        "\\$[({]([A-Za-z_][A-Za-z0-9_]*):%=[^\\n]*(?:sm|compute)_%");
    static const std::regex whole(
        "(?:^|[^-])(?:-arch|-gencode|--gpu-architecture)=(\\$[({][A-Za-z_][A-Za-z0-9_]*[)}])");
    static const std::regex whole_of_nvcc(
        "(?:nvcc|NVCC).*[^-](?:-arch|-gencode|--gpu-architecture)[ \\t]+"
        "(\\$[({][A-Za-z_][A-Za-z0-9_]*[)}])");
    Loops loops;
    const auto names = matches(line, loop, 1);
    const auto values = matches(line, loop, 2);
    for (std::size_t index = 0; index < names.size(); ++index) {
      loops[names[index].text] = values[index];
    }
    bool is_read = true;
    if (std::regex_search(line.text, about)) {
      const auto substituted = matches(line, substitution, 1);
      for (const auto& name : substituted) is_read = read_variable(name.text, {}) && is_read;
      for (const auto& piece : matches(line, number, 1)) {
        const bool is_done = piece.text == "%" && !substituted.empty();
        is_read = (is_done || read_expression(piece, loops, "")) && is_read;
      }
    }
    if (compiles_cuda_) {
      // Apple's compilers have an option -arch, too.
      for (const auto* option : {&whole, &whole_of_nvcc}) {
        for (const auto& piece : matches(line, *option, 1)) {
          is_read = read_expression(piece, loops, "") && is_read;
        }
      }
    }
    return is_read;
  }

  /// Reads a list that variables and numbers make. `name`: of the loop over it.
  bool read_expression(const Piece& piece, const Loops& loops, const std::string& name) {
    static const std::regex reference("\\$[({]([A-Za-z_][A-Za-z0-9_]*)[)}]");
    static const std::regex unknown("\\$\\$|\\$[({]shell |\\$[({]call |\\$[({]?[0-9]");
    if (std::regex_search(piece.text, unknown)) return false;
    auto archs = read_items(piece.text, 0);
    bool is_read = !archs.empty();
    if (is_read && !name.empty()) found_.lists.push_back({name, piece.at, std::move(archs)});
    const auto names = matches(piece, reference, 1);
    for (std::size_t index = 0; index < names.size(); ++index) {
      const auto& variable = names[index].text;
      is_read = read_variable(variable, loops) && (is_read || index == 0);
    }
    return is_read;
  }

  bool read_variable(const std::string& name, const Loops& loops) {
    const auto loop = loops.find(name);
    if (loop != loops.end()) {
      auto outer = loops;
      outer.erase(name);
      return read_expression(loop->second, outer, name);
    }
    const auto known = is_read_.find(name);
    if (known != is_read_.end()) return known->second;
    is_read_[name] = false;  // ends the recursion of A = $(A)
    // Other lines of the file have these options.
    static const std::regex options("(?:sm|compute)_[0-9$%]");
    bool is_read = false;
    for (const auto& value : values_[name]) {
      auto archs = read_items(value.text, 0);
      if (!archs.empty()) {
        found_.lists.push_back({name, value.at, std::move(archs)});
        is_read = true;
      } else if (std::regex_search(value.text, options)) {
        is_read = true;
      } else if (value.text.find('$') != std::string::npos) {
        is_read = read_expression(value, {}, "") || is_read;
      }
    }
    is_read_[name] = is_read;
    return is_read;
  }

  std::vector<Piece> lines_;
  std::map<std::string, std::vector<Piece>> values_;  ///< of variables
  std::map<std::string, bool> is_read_;
  bool compiles_cuda_ = false;
  ComputedArchs found_;
};

}  // namespace

std::vector<Piece> logical_lines(const std::string& text) {
  std::string joined = text;
  for (auto at = joined.find("\\\n"); at != std::string::npos; at = joined.find("\\\n", at)) {
    joined.replace(at, 2, "  ");
  }
  std::vector<Piece> lines;
  for (std::size_t begin = 0; begin < joined.size();) {
    const auto end = std::min(joined.find('\n', begin), joined.size());
    if (end - begin <= kMaxLine) lines.push_back({begin, joined.substr(begin, end - begin)});
    begin = end + 1;
  }
  return lines;
}

ComputedArchs computed_archs_in(const std::string& text) {
  return MakeReader(text).read();
}

}  // namespace archgrid::project
