// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the output of report::audit_text().
#include "audit_output.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace archgrid::cli {
namespace {

using OutputLines = std::vector<std::string>;

/// The parts of "missing: first(int*) on 7.5 and 9.0, cu130-fat/libx.so". A line of another form is
/// all subject.
struct Headline {
  std::string subject;
  std::set<std::string> devices;
  std::string place;
};

Headline read_headline(const std::string& line) {
  static const std::regex form("^(.*) on ([0-9.]+(?:(?:, | and )[0-9.]+)*)(, .*)$");
  constexpr std::size_t kMaxMatched = 4096;  // std::regex recurses
  std::smatch match;
  if (line.size() > kMaxMatched || !std::regex_match(line, match, form)) return {line, {}, {}};
  static const std::regex device("[0-9.]+");
  const auto devices = match[2].str();
  return {match[1].str(),
          {std::sregex_token_iterator(devices.begin(), devices.end(), device), {}},
          match[3].str()};
}

bool covers(const Headline& wider, const Headline& headline) {
  return wider.subject == headline.subject && wider.place == headline.place &&
         std::includes(wider.devices.begin(), wider.devices.end(), headline.devices.begin(),
                       headline.devices.end());
}

/// Returns the first lines of findings: "code: ..." above an indented message.
std::vector<Headline> headlines_of(const OutputLines& lines) {
  std::vector<Headline> headlines;
  for (std::size_t index = 0; index + 1 < lines.size(); ++index) {
    const auto code_end = lines[index].find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
    const bool has_code = code_end != std::string::npos && code_end > 0 &&
                          lines[index][code_end] == ':' && lines[index + 1].starts_with("  ");
    if (has_code) headlines.push_back(read_headline(lines[index]));
  }
  return headlines;
}

OutputLines without_blank_ends(const OutputLines& lines) {
  const auto is_text = [](const std::string& line) { return !line.empty(); };
  const auto begin = std::find_if(lines.begin(), lines.end(), is_text);
  const auto end = std::find_if(lines.rbegin(), lines.rend(), is_text).base();
  return begin < end ? OutputLines(begin, end) : OutputLines();
}

/// Reports whether the output of an audit ends with the number of its findings and lists all of
/// them, without other errors.
bool lists_its_findings(const OutputLines& lines) {
  if (lines.empty() || !lines.back().starts_with("promise broken: ")) return false;
  if (lines.back().find(" error") != std::string::npos) return false;
  return std::none_of(lines.begin(), lines.end(), [](const std::string& line) {
    const bool is_cut = line.starts_with("and ") && line.find(" more finding") != std::string::npos;
    return is_cut || line.starts_with("archgrid: ");
  });
}

}  // namespace

bool is_repeated(const OutputLines& output, const OutputLines& closing) {
  const auto lines = without_blank_ends(output);
  const auto place = std::search(closing.begin(), closing.end(), lines.begin(), lines.end());
  if (place != closing.end()) return true;
  if (!lists_its_findings(lines)) return false;
  const auto findings = headlines_of(lines);
  const auto repeated = headlines_of(closing);
  return !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [&](const auto& finding) {
           return std::any_of(repeated.begin(), repeated.end(),
                              [&](const auto& wider) { return covers(wider, finding); });
         });
}

}  // namespace archgrid::cli
